"""Why a puzzle has no solution or several, what is wrong in an answer, and what to change."""

from .changes import Repair
from .diagnosis import Diagnosis, diagnose

__all__ = ["Diagnosis", "Repair", "diagnose"]
