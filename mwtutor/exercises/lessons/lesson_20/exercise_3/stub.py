import re


def newest(names):
    return None
