"""Human techniques of each genre: what they deduce, step by step, and what they fix before a search.

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
    search_nodes,
    turned,
)
from .position import load_kernel
from .techniques import (
    BEYOND,
    KUROMASU,
    LEVELS,
    NURIKABE,
    PROFILE,
    PROFILE_VERSION,
    PROFILES,
    TECHNIQUES,
    Profile,
    Step,
    Technique,
    techniques,
)

__all__ = [
    "BEYOND",
    "KUROMASU",
    "LEVELS",
    "NURIKABE",
    "PROFILE",
    "PROFILES",
    "PROFILE_VERSION",
    "TECHNIQUES",
    "Deduction",
    "Fixed",
    "Move",
    "Profile",
    "Step",
    "Technique",
    "canonical_orientation",
    "load_kernel",
    "lookahead",
    "orientations",
    "rated",
    "rules",
    "run",
    "search_nodes",
    "techniques",
    "turned",
]
