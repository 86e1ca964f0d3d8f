"""Which GPUs exist, according to recorded answers of NVML and on this machine."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from mwtutor.devices import gpus
from tests.support.machines.nvml import machine


def test_what_the_driver_says_is_read():
    two = machine("two")
    assert (two.driver, two.cuda, two.problem) == ("550.90.07", "12.4", "")
    assert [gpu.whole.name for gpu in two.gpus] == ["NVIDIA A10G"] * 2
    assert [gpu.whole.memory for gpu in two.gpus] == [24 * 2**30] * 2
    assert len({device.id for device in two.devices}) == 2
    assert machine("unified").devices[0].memory == 0


def test_of_a_divided_gpu_only_its_parts_can_be_used():
    mig = machine("mig")
    assert [gpu.mig for gpu in mig.gpus] == [True, True]
    assert [device.instance for device in mig.devices] == ["1/0", "2/0"], "the second has none"
    assert all(device.id.startswith("MIG-") for device in mig.devices)
    assert {device.card for device in mig.devices} == {mig.gpus[0].whole.id}


@pytest.mark.parametrize(
    ("name", "words"), [("no_library", "no NVIDIA driver"), ("not_loaded", "Driver Not Loaded")]
)
def test_without_a_driver_the_reason_is_said(name, words):
    found = machine(name)
    assert found.gpus == ()
    assert words in found.problem
    assert found.remedy


def names(survey, setting):
    return [device.id for device in survey.visible(setting)]


def test_cuda_visible_devices_is_read_as_cuda_does():
    eight = machine("eight")
    ids = [device.id for device in eight.devices]
    assert names(eight, None) == ids
    assert names(eight, "2,1") == ["2", "1"], "kept as written: CUDA may count differently"
    assert [device.card for device in eight.visible("2,1")] == [ids[2], ids[1]]
    assert names(eight, "0,2,-1,1") == ["0", "2"], "the first that names nothing ends the list"
    assert names(eight, "7, 8") == ["7"]
    assert names(eight, ids[3][:12]) == [ids[3][:12]], "the beginning of a UUID is enough"
    assert names(eight, "GPU-") == [], "a beginning of several names none"
    assert names(eight, "1,1") == ["1"]
    for nothing in ("", "-1", "none", "NoDevFiles"):
        assert names(eight, nothing) == []


def test_parts_can_be_named_in_the_new_and_the_old_way():
    mig = machine("mig")
    first, second = mig.devices
    assert mig.visible(second.id) == (second,)
    old = f"MIG-{second.card}/{second.instance}"
    assert [device.instance for device in mig.visible(old)] == ["2/0"]
    assert names(mig, "0") == ["0"]
    assert mig.visible("0")[0].instance == first.instance, "CUDA takes the first part"
    assert names(mig, "1") == [], "a divided GPU without parts"
    assert names(mig, mig.gpus[0].whole.id) == [], "a divided GPU as a whole"


def test_this_machine_is_asked_for_real():
    found = gpus.find()
    driver = os.path.exists("/dev/nvidiactl")
    assert bool(found.driver) == driver
    assert bool(found.problem) == (not driver)
    assert bool(found.gpus) == any(os.path.exists(f"/dev/nvidia{n}") for n in range(16))


def test_asking_needs_no_tensorflow_and_opens_no_gpu():
    code = (
        "import sys; from mwtutor.devices import gpus;"
        "from mwtutor.engines.local import forkserver;"
        "gpus.find(); print('tensorflow' in sys.modules, forkserver.gpu_files())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "False []\n", done.stderr
