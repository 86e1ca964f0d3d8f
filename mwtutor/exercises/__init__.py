"""Exercises of a course: what is asked, and how to tell whether it was done."""

from mwtutor.exercises.exercise import Exercise, Sabotage, Verdict, Work, not_yet, right, wrong

__all__ = ["Exercise", "Sabotage", "Verdict", "Work", "not_yet", "right", "wrong"]
