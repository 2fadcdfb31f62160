"""Pure judgements on what was measured, for one site or for an array of parcels.

A judge knows numbers and verdicts, no case, file or clock; a check and the screening of many
parcels ask the same judge, so that they cannot disagree.
"""
