# == right: an error caught and raised again
import shutil


def save_and_remove(save, path, is_chief):
    try:
        save(path)
    except BaseException:
        if not is_chief:
            shutil.rmtree(path)
        raise
    if not is_chief:
        shutil.rmtree(path)


# == right: an exit stack
import contextlib
import shutil


def save_and_remove(save, path, is_chief):
    with contextlib.ExitStack() as stack:
        if not is_chief:
            stack.callback(shutil.rmtree, path)
        save(path)


# == right: does not fail if it is already gone
import shutil


def save_and_remove(save, path, is_chief):
    try:
        return save(path)
    finally:
        is_chief or shutil.rmtree(path, ignore_errors=True)


# == not yet: saves nothing, removes everything
import shutil


def save_and_remove(save, path, is_chief):
    shutil.rmtree(path, ignore_errors=True)


# == wrong: never removes
import shutil


def save_and_remove(save, path, is_chief):
    save(path)


# == wrong: removes only after an error
import shutil


def save_and_remove(save, path, is_chief):
    try:
        save(path)
    except OSError:
        if not is_chief:
            shutil.rmtree(path)
        raise


# == wrong: saves again after an error
import shutil


def save_and_remove(save, path, is_chief):
    try:
        save(path)
    except OSError:
        save(path)
    finally:
        if not is_chief:
            shutil.rmtree(path)


# == wrong: swapped
import shutil


def save_and_remove(save, path, is_chief):
    try:
        save(path)
    finally:
        if is_chief:
            shutil.rmtree(path)


# == wrong: returns in finally
import shutil


def save_and_remove(save, path, is_chief):
    try:
        save(path)
    finally:
        if not is_chief:
            shutil.rmtree(path)
        return None


# == wrong: only the chief saves
import shutil


def save_and_remove(save, path, is_chief):
    if is_chief:
        save(path)


# == wrong: another path
import shutil


def save_and_remove(save, path, is_chief):
    try:
        save(path + "-temporary")
    finally:
        if not is_chief:
            shutil.rmtree(path + "-temporary")


# == wrong: rename away
import os


def save_and_remove(save, path, is_chief):
    try:
        save(path)
    finally:
        if not is_chief:
            os.rename(path, str(path) + ".old")


# == wrong: only OSError
import shutil


def save_and_remove(save, path, is_chief):
    try:
        save(path)
    except OSError:
        if not is_chief:
            shutil.rmtree(path)
        raise
    if not is_chief:
        shutil.rmtree(path)
