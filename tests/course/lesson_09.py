"""What must turn the checks of lesson 09 red."""

from tests.course.sabotage import CheckSabotage

CHECK_SABOTAGES: tuple[CheckSabotage, ...] = ()
