"""Clusters that mwtutor does not start: processes, threads, Ray, Slurm."""
