"""Code that several tests share: clusters, machines, programs and runs."""
