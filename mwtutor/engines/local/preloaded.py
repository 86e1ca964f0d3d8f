"""What the fork server imports before it forks anything."""

#: The modules that the server imports, in order of importance; missing ones are skipped. A launch
#: waits only for the first.
PRELOADED = (
    "tensorflow",
    "keras",
    "tf_keras",
    "tensorflow_datasets",
    "ipykernel.kernelapp",
    "pyroute2",
)
