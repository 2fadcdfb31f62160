"""Stalls laid out one by one in a polygon, with aisles that reach a gate; see ``pack``."""

from site_eval.solvers.parking.accessible import (
    accessible_required,
    van_required,
    with_accessible,
)
from site_eval.solvers.parking.estimate import AreaEstimate, area_estimates, upper_bound
from site_eval.solvers.parking.layout import Packing, features
from site_eval.solvers.parking.packer import pack, usable_ground
from site_eval.solvers.parking.standard import STANDARDS, Standard, standard

__all__ = [
    "STANDARDS",
    "AreaEstimate",
    "Packing",
    "Standard",
    "accessible_required",
    "area_estimates",
    "features",
    "pack",
    "standard",
    "upper_bound",
    "usable_ground",
    "van_required",
    "with_accessible",
]
