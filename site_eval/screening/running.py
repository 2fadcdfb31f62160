"""Partitions handed to workers: this process, a pool of processes, or a dask cluster."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Generator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from typing import Any

from site_eval.errors import InputFileError, OutputError, SiteEvalError
from site_eval.screening.part import Done, answer_part
from site_eval.screening.plan import Plan
from site_eval.screening.question import Question

Told = Callable[[int, int], None]


def run(
    plan: Plan,
    question: Question,
    *,
    workers: int = 1,
    scheduler: str | None = None,
    told: Told = lambda _done, _all: None,
) -> None:
    """Answer every partition that is not answered yet; *told* hears how many are done.

    What is finished stays when this is stopped. Raises ``SiteEvalError`` when the layers cannot
    be used, a worker dies, or the scheduler cannot be reached.
    """
    missing = plan.missing()
    done = plan.parts - len(missing)
    told(done, plan.parts)
    with closing(_finished(plan, missing, question, workers, scheduler)) as finished:
        for one in finished:
            if one.refused is not None:
                raise SiteEvalError(*one.refused)
            done += 1
            told(done, plan.parts)


def _finished(
    plan: Plan, missing: list[int], question: Question, workers: int, scheduler: str | None
) -> Generator[Done, None, None]:
    if scheduler is not None:
        return _on_cluster(plan, missing, question, scheduler)
    if workers > 1 and len(missing) > 1:
        return _in_pool(plan, missing, question, min(workers, len(missing)))
    return (answer_part(plan, part, question) for part in missing)


def _in_pool(
    plan: Plan, missing: list[int], question: Question, workers: int
) -> Generator[Done, None, None]:
    # A fresh interpreter each: what GDAL and PROJ hold open does not bear being forked.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, mp_context=context)
    try:
        waiting = [pool.submit(answer_part, plan, part, question) for part in missing]
        for future in as_completed(waiting):
            yield future.result()
    except BrokenProcessPool:
        raise OutputError(
            str(plan.folder),
            "a worker process was ended from outside, perhaps for want of memory",
            "run again with --resume and fewer --workers",
        ) from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _on_cluster(
    plan: Plan, missing: list[int], question: Question, address: str
) -> Generator[Done, None, None]:
    """Partitions on the workers of a dask scheduler, which see the same files by the same paths."""
    distributed = _distributed()
    try:
        client = distributed.Client(address, timeout="10s")
    except (OSError, ValueError, TimeoutError):
        raise InputFileError(
            "--scheduler",
            f"no dask scheduler answers at {address}",
            "start one with `dask scheduler` and name its tcp:// address",
        ) from None
    with client:
        waiting = [
            client.submit(answer_part, plan, part, question, pure=False, retries=2)
            for part in missing
        ]
        for future in distributed.as_completed(waiting):
            yield future.result()


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise InputFileError(
            "--scheduler",
            "dask is not installed",
            "install site-eval[cluster], or leave out --scheduler",
        ) from None
    return distributed
