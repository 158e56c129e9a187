"""Human techniques for Nurikabe: what they deduce, step by step, and what they fix before a search.

`run` and `rated` make the steps of the profile, each with its reasons; `rules` and `lookahead` are the presolve.
The hot part is compiled when there is enough to do for it; `load_kernel` has it compiled or loaded beforehand.
"""

from .deduction import (
    Deduction,
    Fixed,
    Move,
    canonical_orientation,
    lookahead,
    orientations,
    rated,
    rules,
    run,
    turned,
)
from .position import load_kernel
from .techniques import BEYOND, LEVELS, PROFILE, PROFILE_VERSION, TECHNIQUES, Step, Technique, techniques

__all__ = [
    "BEYOND",
    "LEVELS",
    "PROFILE",
    "PROFILE_VERSION",
    "TECHNIQUES",
    "Deduction",
    "Fixed",
    "Move",
    "Step",
    "Technique",
    "canonical_orientation",
    "load_kernel",
    "lookahead",
    "orientations",
    "rated",
    "rules",
    "run",
    "techniques",
    "turned",
]
