"""The same questions put to every parcel of a county or a state, by the same judges.

``partition`` is the pure middle: parcels and layers in, a table out. ``run`` feeds it from a file,
in one process, several, or a cluster, and can go on after a break.
"""
