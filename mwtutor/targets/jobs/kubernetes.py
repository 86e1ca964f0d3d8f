"""Manifests for Kubernetes: an Indexed Job with a headless service, or a JobSet.

Pods can look each other up even before they are ready (``publishNotReadyAddresses``). Only peers
may connect: TensorFlow's server has no authentication, so anyone who can reach its port can run
code in the pod.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, ClassVar

from mwtutor.cluster import TASK_TYPES, TaskType
from mwtutor.exceptions import BadInput
from mwtutor.targets.jobs import yaml
from mwtutor.targets.jobs.export import Order, Target
from mwtutor.targets.task.schedulers import PORT, SERVICE

#: A name that is also valid for a service, and leaves space for what Kubernetes appends to it.
_NAME = re.compile(r"[a-z](?:[-a-z0-9]{0,38}[a-z0-9])?")

_LABEL_VALUE = re.compile(r"[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?")

#: The label of everything that belongs to one cluster.
_LABEL = "mwtutor/cluster"

_REMEDIES = {
    "share_gpus": "Kubernetes gives a GPU to one container; only its device plugin can change"
    " that.",
    "network": "The network policy admits only peers; to change that, edit the file.",
}


class IndexedJob(Target):
    """A Service, a NetworkPolicy and an Indexed Job, on any cluster since Kubernetes 1.24."""

    name = "kubernetes"
    remedies: ClassVar[Mapping[str, str]] = {
        **_REMEDIES,
        "restarts": "A Job restarts single pods, but a single pod cannot train: export --to jobset,"
        " which restarts all of them.",
        "evaluator_gpus": "The pods of a Job are all alike: export --to jobset.",
    }

    def text(self, order: Order) -> str:
        if order.request.gpus_per_worker and (order.request.ps or order.request.evaluator):
            raise BadInput(
                "The pods of a Job are all alike: parameter servers would have GPUs too.",
                "Export --to jobset, where each job requests its own GPUs.",
            )
        name, labels = _names(order)
        service = {
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": {"name": name, "labels": labels},
            "spec": {
                "clusterIP": "None",
                "publishNotReadyAddresses": True,
                "selector": labels,
                "ports": [{"name": "tensorflow", "port": PORT}],
            },
        }
        job = {
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": _queued(order, name, labels),
            "spec": {**_suspended(order), **_job(order, order.request.size.tasks, "worker")},
        }
        return _file("kubectl apply -f FILE", [service, _policy(name, labels), job])


class JobSet(Target):
    """A NetworkPolicy and a JobSet, which creates its own service."""

    name = "jobset"
    remedies: ClassVar[Mapping[str, str]] = _REMEDIES

    def text(self, order: Order) -> str:
        name, labels = _names(order)
        size = order.request.size
        count = {"chief": size.chief, "worker": size.workers, "ps": size.ps,
                 "evaluator": size.evaluator}  # fmt: skip
        jobs = [
            {
                "name": role,
                "replicas": 1,
                "template": {"spec": _job(order, int(count[role]), role, of_set=True)},
            }
            for role in TASK_TYPES
            if count[role]
        ]
        jobset = {
            "apiVersion": "jobset.x-k8s.io/v1alpha2",
            "kind": "JobSet",
            "metadata": _queued(order, name, labels),
            "spec": {
                **_suspended(order),
                "network": {
                    "enableDNSHostnames": True,
                    "subdomain": name,
                    "publishNotReadyAddresses": True,
                },
                "failurePolicy": {"maxRestarts": order.request.restarts},
                "replicatedJobs": jobs,
            },
        }
        return _file("kubectl apply -f FILE; JobSet must be installed",
                     [_policy(name, labels), jobset])  # fmt: skip


def _file(how: str, documents: list[dict[str, Any]]) -> str:
    head = f"# Written by mwtutor export; start it with {how}.\n"
    return head + "---\n".join(map(yaml.dump, documents))


def _names(order: Order) -> tuple[str, dict[str, str]]:
    given = order.request.name
    stem = re.sub(r"[^a-z0-9]+", "-", order.request.executes.stem.lower()).strip("-")[:40]
    name = given or (stem if stem[:1].isalpha() else f"run-{stem}"[:40]).strip("-")
    if not _NAME.fullmatch(name):
        raise BadInput(
            f"--name cannot be {name!r} in Kubernetes.",
            "Use at most 40 lowercase letters, digits and '-', beginning with a letter.",
        )
    if not order.resources.image:
        raise BadInput(
            "Kubernetes starts container images, but none was named.",
            "Name one that contains Python, mwtutor and the program: --image IMAGE.",
        )
    return name, {_LABEL: name}


def _queued(order: Order, name: str, labels: dict[str, str]) -> dict[str, Any]:
    queue = order.resources.queue
    if queue and not _LABEL_VALUE.fullmatch(queue):
        raise BadInput(
            f"--queue cannot be {queue!r} in Kubernetes, where it is the value of a label.",
            "Use at most 63 letters, digits, '-', '_' and '.', with a letter or digit at each end.",
        )
    kueue = {"kueue.x-k8s.io/queue-name": queue} if queue else {}
    return {"name": name, "labels": {**labels, **kueue}}


def _suspended(order: Order) -> dict[str, Any]:
    """With a queue, a Job starts only after Kueue has admitted it."""
    return {"suspend": True} if order.resources.queue else {}


def _policy(name: str, labels: dict[str, str]) -> dict[str, Any]:
    peers = {"podSelector": {"matchLabels": labels}}
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": {"name": name, "labels": labels},
        "spec": {**peers, "policyTypes": ["Ingress"], "ingress": [{"from": [peers]}]},
    }


def _job(order: Order, tasks: int, role: TaskType, of_set: bool = False) -> dict[str, Any]:
    """The specification of a Job, which fails as soon as one of its pods does."""
    limit = order.request.timeout
    return {
        "completionMode": "Indexed",
        "completions": tasks,
        "parallelism": tasks,
        "backoffLimit": 0,
        **({"activeDeadlineSeconds": math.ceil(limit)} if limit else {}),
        "template": _pod(order, role, of_set),
    }


def _pod(order: Order, role: TaskType, of_set: bool) -> dict[str, Any]:
    name, labels = _names(order)
    request = order.request
    env: list[dict[str, Any]] = [
        {"name": key, "value": _literal(value)} for key, value in order.env().items()
    ]
    env.append({"name": SERVICE, "value": name})
    if of_set:
        env += [{"name": "JOBSET_NAME", "value": name},
                {"name": "REPLICATED_JOB_NAME", "value": role}, _ATTEMPT]  # fmt: skip
    container: dict[str, Any] = {
        "name": role if of_set else "task",
        "image": order.resources.image,
        "command": [_literal(word) for word in order.command("python3")],
        **({"workingDir": request.cwd} if request.cwd else {}),
        "env": env,
        "ports": [{"containerPort": PORT}],
        **_resources(order, role),
    }
    spec: dict[str, Any] = {
        **({} if of_set else {"subdomain": name}),
        "restartPolicy": "Never",
        # A strategy of several workers does not end on SIGTERM, so waiting longer is useless.
        "terminationGracePeriodSeconds": math.ceil(request.grace),
        "automountServiceAccountToken": False,
        "containers": [container],
    }
    return {"metadata": {"labels": labels}, "spec": spec}


#: How often a JobSet has been restarted, from an annotation of its pods.
_ATTEMPT = {
    "name": "JOBSET_RESTART_ATTEMPT",
    "valueFrom": {
        "fieldRef": {"fieldPath": "metadata.annotations['jobset.sigs.k8s.io/restart-attempt']"}
    },
}


def _resources(order: Order, role: TaskType) -> dict[str, Any]:
    gpus = {
        "chief": order.request.gpus_per_worker,
        "worker": order.request.gpus_per_worker,
        "evaluator": order.request.evaluator_gpus,
    }.get(role)
    asked = {
        "cpu": order.resources.cpus,
        "memory": f"{order.resources.memory}Gi" if order.resources.memory else 0,
    }
    requests = {what: str(much) for what, much in asked.items() if much}
    limits = {what: much for what, much in requests.items() if what == "memory"}
    limits |= {"nvidia.com/gpu": str(gpus)} if gpus else {}
    found = {"requests": requests, "limits": limits}
    shown = {what: much for what, much in found.items() if much}
    return {"resources": shown} if shown else {}


def _literal(text: str) -> str:
    """The text, escaped so that Kubernetes expands no variables in it."""
    return text.replace("$", "$$")
