"""An answer in plain lines for the terminal, with a mark under the words that a warning is about."""

from __future__ import annotations

from site_eval.legal.answer import Answer, ClosureAnswer, CourseAnswer


def report(answer: Answer) -> str:
    """The lines that ``site-eval locate`` prints."""
    lines = [f"Status       {answer.status}", f"Kind         {answer.kind}"]
    if answer.normal_form:
        lines.append(f"Understood   {answer.normal_form}")
    if answer.meridian:
        assumed = " (assumed)" if answer.meridian_assumed else ""
        lines.append(f"Meridian     {answer.meridian}{assumed}")
    lines += _areas(answer)
    if answer.method:
        lines.append(
            f"Placed by    {answer.method}, within {answer.position_uncertainty_m:g} m (95 %)"
        )
    lines += [f"From         {_course(course)}" for course in answer.tie]
    lines += [f"Course {n:<5} {_course(course)}" for n, course in enumerate(answer.courses, 1)]
    if answer.closure:
        lines.append(f"Closure      {_closure(answer.closure)}")
    for lots in answer.lots:
        block = f", Block {lots.block}" if lots.block else ""
        lines.append(f"Lots         {', '.join(lots.lots)}{block}, {lots.subdivision or '?'}")
    lines += [f"Parcel       {number}" for number in answer.parcel_numbers]
    lines += [f"Not drawn    {text}" for text in answer.unresolved]
    for warning in answer.warnings:
        lines.append(f"Warning      {warning.text}{pointer(answer.text, warning.span)}")
    return "\n".join(line.rstrip() for line in lines)


def pointer(text: str, span: tuple[int, int] | None) -> str:
    """The line of *text* that holds *span* with a mark under it; an empty string without a span."""
    if span is None:
        return ""
    start = text.rfind("\n", 0, span[0]) + 1
    end = text.find("\n", span[0])
    line = text[start : len(text) if end < 0 else end]
    # A long line is cut to the neighbourhood, so that the mark stays on the screen.
    cut = max(0, span[0] - start - 40)
    shown = line[cut : cut + 100]
    at = span[0] - start - cut
    width = max(1, min(span[1] - span[0], len(shown) - at))
    return f"\n    {shown}\n    {' ' * at}{'^' * width}\n"


def _areas(answer: Answer) -> list[str]:
    parts = []
    if answer.area_acres is not None:
        parts.append(f"{answer.area_acres:.2f} drawn")
    if answer.nominal_acres:
        parts.append(f"{answer.nominal_acres:g} nominal")
    if answer.stated_acres is not None:
        parts.append(f"{answer.stated_acres:g} stated")
    return [f"Acres        {', '.join(parts)}"] if parts else []


def _course(course: CourseAnswer) -> str:
    lead = f"{course.from_}: " if course.from_ else ""
    if course.kind == "line":
        return f"{lead}{course.bearing} {course.distance_ft:,.2f} ft"
    if course.kind == "curve":
        return (
            f"{lead}curve {'left' if course.side == 'L' else 'right'}, radius {course.radius_ft:,.2f} ft,"
            f" arc {course.arc_ft:,.2f} ft, central angle {course.delta_deg:.4f} deg"
        )
    return f"{lead}{course.text or 'the point of beginning'}"


def _closure(closure: ClosureAnswer) -> str:
    if closure.closed_by_construction:
        return f"closed by construction, {closure.area_acres} acres"
    if closure.misclosure_ft is None:
        return "the courses do not make a figure"
    ratio = f"1:{closure.precision:,.0f}" if closure.precision else "exact"
    return f"misses by {closure.misclosure_ft:.3f} ft ({ratio}), {closure.area_acres} acres"
