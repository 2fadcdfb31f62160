from __future__ import annotations

import pytest

from site_eval.record.evaluation import Evaluation
from tests.reports.sample import sample


@pytest.fixture
def evaluation() -> Evaluation:
    """A fresh copy of the sample, which a test may change."""
    return sample()


@pytest.fixture
def bare(evaluation: Evaluation) -> Evaluation:
    """An evaluation with no layout, no surroundings, no findings and no uncertainty."""
    empty = {"type": "FeatureCollection", "features": []}
    site = evaluation.site.model_copy(update={"position_uncertainty_m": 0.0, "sources": []})
    checklist = evaluation.checklist.model_copy(update={"items": []})
    return evaluation.model_copy(
        update={
            "layout": empty,
            "context": empty,
            "findings": [],
            "application": {},
            "site": site,
            "checklist": checklist,
            "summary": dict.fromkeys(evaluation.summary, 0),
            "on_site_only": [],
            "inputs": [],
        }
    )
