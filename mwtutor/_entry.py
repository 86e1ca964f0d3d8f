"""The first file that an mwtutor process executes, by path and under any interpreter.

It loads the package from its own directory and calls one function in it. Packages next to it
(perhaps another interpreter's site-packages) stay off ``sys.path``.
"""

import sys

AT_START = frozenset(sys.modules)  # before mwtutor imports anything

import importlib.util  # noqa: E402
import pathlib  # noqa: E402

#: The roles of mwtutor's processes, and the function that each calls with its file descriptor.
WORK = {
    "supervisor": "supervisor.process.supervise_cold",
    "ray": "engines.ray.job.supervise",
    "ray-node": "engines.ray.node.keep",
    "task": "worker.bootstrap.run_cold",
    "probe": "worker.probe.answer",
    "tensorboard": "board.process.serve",
}


def load_package() -> None:
    """Make ``import mwtutor`` load the package that contains this file."""
    root = pathlib.Path(__file__).resolve().parent
    spec = importlib.util.spec_from_file_location(
        "mwtutor", root / "__init__.py", submodule_search_locations=[str(root)]
    )
    assert spec is not None
    assert spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules["mwtutor"] = package
    spec.loader.exec_module(package)


if __name__ == "__main__":
    del sys.path[0]  # this file's own directory, whose modules a script would otherwise find
    load_package()
    from mwtutor.system import shadows

    shadows.at_start = AT_START
    role = sys.argv[1]
    if role == "exec":
        from mwtutor.worker.without_supervisor import run

        run(sys.argv[2:])
    elif role == "remote":
        from mwtutor.worker import remote

        remote.run(pathlib.Path(sys.argv[2]))
    elif role == "slurm":
        from mwtutor.engines.slurm.job import supervise

        supervise(sys.argv[2])
        sys.exit()
    fd = int(sys.argv[2])
    if role in WORK:
        module, _, function = WORK[role].rpartition(".")
        getattr(importlib.import_module(f"mwtutor.{module}"), function)(fd)
    elif role == "forkserver":
        from mwtutor.engines.local.forkserver import serve

        serve(fd, parent=int(sys.argv[3]))
    elif role == "ray-look":
        from mwtutor.engines.ray.connection import look

        print(look())
    elif role == "network":
        from mwtutor.network import establish

        print(establish.why_not_private())
    elif role == "machines":
        from mwtutor.network import establish

        for link in ("", "1gbit", "1gbit,1ms"):
            print(establish.why_no_machines(link))
