"""The grammar of metes and bounds: a beginning, ties, courses, and the way back."""

from __future__ import annotations

from site_eval.legal import vocabulary as v
from site_eval.legal.cursor import Cursor
from site_eval.legal.curves import CURVE_WORDS, read_curve
from site_eval.legal.measures import read_bearing, read_distance
from site_eval.legal.metes_marks import (
    AT,
    CALL_FILLERS,
    RUN,
    SIDE_NOUNS,
    THENCE,
    angle_within,
    bare_distance,
    bearing_ahead,
    beginning_at,
    broken_bearing,
    call_end,
    curve_announced,
    find_start,
    in_full,
    more_or_less,
    read_reversed,
    reference_ends,
    reversed_ahead,
)
from site_eval.legal.tokens import tokenize
from site_eval.legal.traverse import end_azimuth
from site_eval.legal.tree import Course, Curve, Line, MetesTree, Words


def read_metes(text: str) -> MetesTree:
    """Read a description by metes and bounds; never raises, whatever the text."""
    return _Reader(text).read()


class _Reader:
    """Segments of courses, split where the text names the point of beginning."""

    def __init__(self, text: str) -> None:
        self.cursor = Cursor(text, in_full([t for t in tokenize(text) if t.kind != "newline"]))
        self.tree = MetesTree()
        self.segments: list[list[Course]] = [[]]
        self.ended_at_beginning = False
        self.dangling = False
        self.acreages: list[tuple[float, bool]] = []

    def read(self) -> MetesTree:
        cursor = self.cursor
        kind = self._start()
        while cursor.token.kind != "end":
            before = cursor.at
            self._call()
            if cursor.at == before:
                cursor.leave_unread()
        self._divide(kind)
        self._finish()
        return self.tree

    # ---- where it begins -----------------------------------------------------------------------

    def _start(self) -> str:
        """Pass the preamble and the reference; tell how the text begins."""
        cursor = self.cursor
        kind = find_start(self.cursor)
        self.tree.preamble = cursor.text[: cursor.token.start].strip()
        if kind == "none":
            cursor.at = 0
            return kind
        began = cursor.at
        if kind == "initial":
            cursor.at += 2
        else:
            cursor.at += 1
        if kind == "lies":
            return self._lies()
        cursor.skip_words(AT)
        at = cursor.at
        while not reference_ends(self.cursor):
            cursor.at += 1
        if cursor.at > at:
            self.tree.reference = " ".join(cursor.text_since(at).split()).rstrip(",;: ")
            self.tree.reference_span = cursor.span_since(at)
        else:
            cursor.at = max(cursor.at, began + 1)
        if reversed_ahead(cursor):
            self._reversed_tie()
        elif not self._tied_from():
            return "beginning" if kind == "initial" else kind
        return "commencing-tied" if kind == "commencing" else "lies"

    def _tied_from(self) -> bool:
        """``a point N. 89°30' W. 200 feet from the NE corner of …``: courses, then what they are from."""
        cursor = self.cursor
        back, warned, unread = cursor.at, len(cursor.warnings), len(cursor.unread)
        where, span = self.tree.reference, self.tree.reference_span
        end = call_end(cursor)
        courses = self._courses_to(end, stop_at_from=True)
        if cursor.word() != "FROM" or not all(isinstance(course, Line) for course in courses):
            cursor.at = back
            del cursor.warnings[warned:], cursor.unread[unread:]
            return False
        if where not in {"", "a point", "point"}:
            cursor.warn("comment", f"not drawn: {where}", span)
        self._reference_to(end)
        self.segments = [courses, []]
        return True

    def _reference_to(self, end: int) -> None:
        """What stands up to token *end*, "from" left out, is the reference."""
        cursor = self.cursor
        cursor.skip_words({"OF", "FROM", "THE"})
        at, cursor.at = cursor.at, end
        self.tree.reference = " ".join(cursor.text_since(at).split()).rstrip(",; ")
        self.tree.reference_span = cursor.span_since(at)

    def _lies(self) -> str:
        """``the beginning lies S. 89°57' W. 276.52 ft … from the NE corner of Sec. 3;``."""
        end = call_end(self.cursor)
        back, warned = self.cursor.at, len(self.cursor.warnings)
        courses = self._courses_to(end, stop_at_from=True)
        is_corner = self.cursor.tokens[back].value == "IS" and not angle_within(
            self.cursor, back, end
        )
        if is_corner and all(isinstance(course, Words) for course in courses):
            self.cursor.at = back + 1
            del self.cursor.warnings[warned:]
            courses = []
        self._reference_to(end)
        self.segments = [courses, []]
        return "lies" if courses else "beginning"

    def _reversed_tie(self) -> None:
        """``initial point … 195 ft S. 89°12' W. of the corner of …``."""
        cursor = self.cursor
        at = cursor.at
        if self.tree.reference not in {"", "a point", "point"}:
            where = self.tree.reference
            cursor.warn("comment", f"not drawn: {where}", self.tree.reference_span)
        span = cursor.span_since(at)
        tie = [Line(b.azimuth_deg, d, b.text, span) for d, b in read_reversed(cursor)]
        self.segments = [list[Course](tie), []]
        self._reference_to(call_end(cursor))

    # ---- calls ---------------------------------------------------------------------------------

    def _call(self) -> None:
        cursor = self.cursor
        word = cursor.word()
        if word in THENCE or word in RUN or word in {"AND", "TO", "AT"}:
            self.dangling |= word in THENCE
            cursor.at += 1
        elif (
            cursor.symbol() in {";", ",", ".", ":", "(", ")", "-"} or cursor.token.kind == "newline"
        ):
            cursor.at += 1
        elif self._point_of_beginning():
            return
        elif word == "BASIS" or (word == "BEARINGS" and cursor.word(1) in {"BASED", "ARE"}):
            self._basis()
        elif self._acreage():
            return
        elif word in v.EXCEPT_WORDS and word != "BUT" and not more_or_less(self.cursor):
            self._exception()
        else:
            self._courses(call_end(self.cursor))

    def _courses(self, end: int) -> None:
        found = self._courses_to(end)
        if found:
            self.dangling = False
            self.ended_at_beginning = False
        self.segments[-1].extend(found)

    def _courses_to(self, end: int, *, stop_at_from: bool = False) -> list[Course]:
        """The courses of one call: a curve, lines, or words that only say where it goes."""
        cursor = self.cursor
        began, unread = cursor.at, len(cursor.unread)
        if any(cursor.tokens[index].value in CURVE_WORDS for index in range(began, end)):
            announced = curve_announced(cursor, end)
            return self._to_curve(end) if announced else self._curve(end)
        found: list[Course] = []
        while cursor.at < end:
            if stop_at_from and cursor.word() == "FROM":
                break
            line = self._line(end)
            if line is not None:
                found.append(line)
            elif broken_bearing(self.cursor):
                return [self._unreadable(began, end)]
            else:
                cursor.pass_filler(CALL_FILLERS)
        if not found and any(cursor.tokens[index].kind == "word" for index in range(began, end)):
            del cursor.unread[unread:]  # the words themselves are the course
            found.append(self._words(began))
        return found

    def _to_curve(self, end: int) -> list[Course]:
        """``N 10° E 100 feet to the beginning of a curve concave …; thence along said curve …``."""
        cursor = self.cursor
        line = self._line(end)
        if line is None:
            return self._curve(end)
        began = cursor.at
        cursor.at = end
        while cursor.word() in THENCE or cursor.symbol() in {";", ","}:
            cursor.at += 1
        following = call_end(cursor)
        goes_on = any(
            cursor.tokens[index].value in CURVE_WORDS for index in range(cursor.at, following)
        )
        cursor.at = began if goes_on else end
        return [line, *self._curve(following, line)] if goes_on else [line]

    def _curve(self, end: int, before: Course | None = None) -> list[Course]:
        cursor = self.cursor
        began = cursor.at
        if before is None and self.segments[-1]:
            before = self.segments[-1][-1]
        curve = read_curve(cursor, end, end_azimuth(before) if before else None)
        if curve is not None and curve.chord_azimuth_deg is not None:
            return [curve]
        cursor.warn("curve", "the words do not fix this curve", cursor.span_since(began))
        return [curve] if curve is not None else [self._words(began)]

    def _line(self, end: int) -> Course | None:
        cursor = self.cursor
        began = cursor.at
        if cursor.token.kind in {"number", "fraction"}:
            return self._distance_first()
        bearing = read_bearing(cursor)
        if bearing is None:
            return None
        if cursor.word() in SIDE_NOUNS:  # "the South line": no course
            cursor.at = began
            return None
        distance = self._distance_within(end)
        if distance is None:
            cursor.at = began
            return None
        if not bearing.exact:
            cursor.at = end
            return self._words(began)
        return Line(bearing.azimuth_deg, distance, bearing.text, cursor.span_since(began))

    def _distance_first(self) -> Course | None:
        """``20 rods West``."""
        cursor = self.cursor
        began = cursor.at
        distance = read_distance(cursor)
        bearing = read_bearing(cursor) if distance is not None else None
        if (
            distance is None
            or bearing is None
            or not bearing.exact
            or cursor.word() in {"OF", "FROM"}
        ):
            cursor.at = began
            return None
        return Line(bearing.azimuth_deg, distance, bearing.text, cursor.span_since(began))

    def _distance_within(self, end: int) -> float | None:
        """The distance of a call after its bearing; "to" a thing ends it unless one is announced."""
        cursor = self.cursor
        back, unread = cursor.at, len(cursor.unread)
        to = False
        while cursor.at < end:
            announced = cursor.word(-1) == "OF" and cursor.word(-2) == "DISTANCE"
            if not to or announced:
                distance = read_distance(cursor)
                if distance is None and (announced or cursor.at == back):
                    distance = bare_distance(cursor, end)
                if distance is not None:
                    return distance
            to |= cursor.word() in {"TO", "FROM"}
            if not to and cursor.token.kind in {"word", "dotted"} and bearing_ahead(self.cursor):
                break
            cursor.pass_filler(CALL_FILLERS)
        cursor.at = back
        del cursor.unread[unread:]
        return None

    def _unreadable(self, began: int, end: int) -> Words:
        self.cursor.at = end
        words = self._words(began)
        self.cursor.warn(
            "bearing-unreadable", f"a bearing cannot be read: {words.text}", words.span
        )
        return words

    def _words(self, began: int) -> Words:
        text = " ".join(self.cursor.text_since(began).split()).strip(",;:. ")
        return Words(text, self.cursor.span_since(began))

    # ---- what else is said ---------------------------------------------------------------------

    def _point_of_beginning(self) -> bool:
        cursor = self.cursor
        count = beginning_at(self.cursor, cursor.at)
        if count == 0:
            return False
        began, cursor.at = cursor.at, cursor.at + count
        if self.segments[-1] and self.dangling:  # "thence to the point of beginning"
            self.segments[-1].append(self._words(began))
        if self.segments[-1]:
            self.segments.append([])
        self.ended_at_beginning = True
        self.dangling = False
        return True

    def _basis(self) -> None:
        cursor = self.cursor
        began = cursor.at
        cursor.at = max(call_end(self.cursor), cursor.at + 1)
        cursor.warn(
            "basis-of-bearing", f"not applied: {cursor.text_since(began)}", cursor.span_since(began)
        )

    def _acreage(self) -> bool:
        cursor = self.cursor
        back = cursor.at
        total = cursor.skip_words({"CONTAINING", "CONTAINS", "CONT", "COMPRISING", "ENCLOSING"})
        cursor.skip_words({"APPROXIMATELY", "ABOUT", "IN", "ALL", "AN", "AREA", "OF"})
        token = cursor.token
        if token.kind == "number" and cursor.word(1) in v.ACRE_WORDS:
            self.acreages.append((float(token.value.replace(",", "")), total))
            cursor.at += 2
            cursor.skip_symbols(".,")
            more_or_less(self.cursor)
            return True
        cursor.at = back
        if total:
            cursor.at += 1
        return total

    def _exception(self) -> None:
        """An exception by metes and bounds is kept in its words: it is not drawn."""
        cursor = self.cursor
        began = cursor.at
        while cursor.token.kind != "end":
            cursor.at += 1
        text = " ".join(cursor.text_since(began).split())
        self.tree.unresolved.append(text)
        cursor.warn("exception-not-drawn", f"not drawn: {text[:120]}", cursor.span_since(began))

    # ---- result --------------------------------------------------------------------------------

    def _divide(self, kind: str) -> None:
        """Which segment is the tie, which the figure; further figures are named, not drawn."""
        tree = self.tree
        segments = [segment for segment in self.segments if segment] or [[]]
        if kind == "commencing" and len(segments) == 1:
            fault = "the text commences somewhere, but names no point of beginning"
            self.cursor.warn("no-beginning", fault, None)
        if kind == "commencing-tied" and len(segments) > 2:
            segments[:2] = [segments[0] + segments[1]]
        tied = kind in {"lies", "commencing-tied"} or (
            kind in {"commencing", "from", "none"} and len(segments) > 1
        )
        if tied and len(segments) > 1:
            tree.tie, tree.courses, further = segments[0], segments[1], segments[2:]
        else:
            tree.courses, further = segments[0], segments[1:]
        tree.returns = self.ended_at_beginning or bool(further)
        tree.truncated = self.dangling
        for segment in further:
            span = (segment[0].span[0], segment[-1].span[1])
            text = " ".join(self.cursor.text[span[0] : span[1]].split())
            tree.unresolved.append(text)
            if all(isinstance(course, Words) for course in segment):
                self.cursor.warn("comment", f"not drawn: {text[:80]}", span)
                continue
            self.cursor.warn("another-figure", f"a further figure is not drawn: {text[:80]}", span)

    def _finish(self) -> None:
        tree, cursor = self.tree, self.cursor
        totals = [amount for amount, total in self.acreages if total] or [
            a for a, _ in self.acreages
        ]
        if totals:
            tree.stated_acres = totals[0]
        if len(set(totals)) > 1:
            cursor.warn("several-acreages", f"several acreages are stated: {totals}", None)
        if not tree.courses:
            cursor.warn("no-courses", "no course with a bearing and a distance was found", None)
        if tree.truncated:
            cursor.warn("truncated", "the text ends in the middle of a course", None)
        elif not tree.returns and tree.courses:
            cursor.warn("no-return", "the text does not say that it returns to its beginning", None)
        for course in (*tree.tie, *tree.courses):
            if isinstance(course, Words):
                cursor.warn("unmeasured", f"not measured: {course.text}", course.span)
            elif isinstance(course, Curve) and course.chord_azimuth_deg is None:
                cursor.warn("curve", "the direction of this curve is not fixed", course.span)
        tree.warnings = [*cursor.warnings, *cursor.unread_warnings()]
