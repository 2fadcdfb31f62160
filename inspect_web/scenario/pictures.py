"""Pictures drawn for the scenario, each marked as drawn; the same name gives the same bytes."""

from __future__ import annotations

import io

from PIL import Image, ImageDraw, ImageFont

SIZE = (800, 600)
SKY, GRASS, ROAD = (176, 200, 222), (116, 138, 86), (105, 105, 108)
DUSK = (62, 66, 92)
CARS = ((172, 42, 38), (222, 222, 218), (38, 66, 120), (70, 70, 70))


def exit_road(cars: int, said: str) -> bytes:
    """The emergency exit, seen from inside, with so many cars across it."""
    picture, draw = _ground(DUSK)
    draw.polygon([(330, 290), (470, 290), (700, 600), (100, 600)], fill=ROAD)
    for x in (300, 488):
        draw.rectangle((x, 190, x + 12, 300), fill=(230, 230, 230))
    draw.rectangle((300, 150, 500, 195), fill=(20, 110, 60))
    draw.text((400, 172), "EMERGENCY EXIT", fill="white", font=_font(20), anchor="mm")
    for number in range(cars):
        _car(draw, 150 + 165 * number, 385 + 28 * (number % 2), CARS[number % len(CARS)])
    return _saved(picture, draw, said)


def toilets(open_units: int, closed_units: int, said: str) -> bytes:
    """A row of portable toilets, the closed ones taped off."""
    picture, draw = _ground(DUSK)
    for number in range(open_units + closed_units):
        x = 70 + 118 * number
        draw.rectangle((x, 210, x + 92, 430), fill=(40, 98, 140), outline=(20, 50, 80), width=3)
        draw.rectangle((x + 14, 240, x + 78, 420), fill=(70, 132, 176))
        if number >= open_units:
            draw.line((x - 6, 225, x + 98, 420), fill=(240, 200, 20), width=12)
            draw.line((x + 98, 225, x - 6, 420), fill=(240, 200, 20), width=12)
    return _saved(picture, draw, said)


def stage(lit: bool, said: str) -> bytes:
    """The main stage at night."""
    picture, draw = _ground((18, 20, 34), (30, 36, 30))
    draw.polygon([(180, 430), (620, 430), (560, 230), (240, 230)], fill=(48, 44, 52))
    for number in range(5 if lit else 0):
        x = 270 + 65 * number
        draw.polygon([(x, 232), (x - 45, 430), (x + 45, 430)], fill=(150, 90 + 20 * number, 170))
    for x in (150, 600):
        draw.rectangle((x, 250, x + 50, 430), fill=(10, 10, 10), outline=(90, 90, 90), width=2)
    return _saved(picture, draw, said)


def _ground(
    sky: tuple[int, int, int] = SKY, grass: tuple[int, int, int] = GRASS
) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    picture = Image.new("RGB", SIZE, sky)
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 290, *SIZE), fill=grass)
    return picture, draw


def _car(draw: ImageDraw.ImageDraw, x: int, y: int, colour: tuple[int, int, int]) -> None:
    draw.rounded_rectangle((x, y + 34, x + 150, y + 82), 14, fill=colour)
    draw.rounded_rectangle((x + 28, y, x + 120, y + 44), 16, fill=colour)
    draw.rectangle((x + 40, y + 10, x + 108, y + 34), fill=(150, 180, 200))
    for wheel in (x + 34, x + 116):
        draw.ellipse((wheel - 17, y + 64, wheel + 17, y + 98), fill=(20, 20, 20))


def _saved(picture: Image.Image, draw: ImageDraw.ImageDraw, said: str) -> bytes:
    draw.rectangle((0, 552, *SIZE), fill=(255, 255, 255))
    draw.text((14, 576), f"Drawn for the scenario. {said}", fill="black", font=_font(19),
              anchor="lm")  # fmt: skip
    stream = io.BytesIO()
    picture.save(stream, "JPEG", quality=82)
    return stream.getvalue()


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)
