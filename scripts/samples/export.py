# Longbox
# SPDX-License-Identifier: MIT
"""Writes a sheet as the files a comic has: `name.png` and `name_2x.png`, small."""

from pathlib import Path

from PIL import Image

from .ink import INK, Paper

LEVELS = {1: 8, 2: 4}
"""Greys of ink on paper: at twice the size the eye makes do with fewer."""


def _levels(image: Image.Image, count: int) -> Image.Image:
    """A grey picture with `count` evenly spaced greys in its palette."""
    steps = [round(v / 255 * (count - 1)) for v in range(256)]
    picture = Image.frombytes("P", image.size, image.point(steps).tobytes())
    picture.putpalette([grey for i in range(count) for grey in [round(i * 255 / (count - 1))] * 3])
    return picture


def _clear(image: Image.Image, count: int) -> tuple[Image.Image, bytes]:
    """Ink of `count` strengths on nothing at all (white becomes transparent), and the palette's opacities."""
    picture = _levels(image, count)
    picture.putpalette([INK] * 3 * count)
    return picture, bytes(255 - round(i * 255 / (count - 1)) for i in range(count))


def _coloured(image: Image.Image, colours) -> Image.Image:
    return image.quantize(colours, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def png(paper: Paper, folder: Path, name: str, clear=False, colours=64, levels=None):
    """Writes the 1x and 2x PNG files; `levels` is for pictures with more greys than ink and paper."""
    for size, suffix in ((1, ""), (2, "_2x")):
        small = paper.image.reduce(paper.scale // size)
        path = folder / f"{name}{suffix}.png"
        count = levels or LEVELS[size]
        bits = 2 if count <= 4 else 4
        if small.mode == "RGB":
            _coloured(small, colours).save(path, optimize=True)
        elif clear:
            picture, opacities = _clear(small, count)
            picture.save(path, optimize=True, bits=bits, transparency=opacities)
        else:
            _levels(small, count).save(path, optimize=True, bits=bits)


def gif(frames: list[Paper], folder: Path, name: str, pause: int):
    """Writes an animated GIF that never stops, `pause` milliseconds a frame."""
    pictures = [_levels(f.image.reduce(f.scale), 16) for f in frames]
    pictures[0].save(folder / f"{name}.gif", save_all=True, append_images=pictures[1:], duration=pause,
                     loop=0, optimize=True)


def rotated_jpeg(paper: Paper, folder: Path, name: str):
    """Writes JPEG files that lie on their side, with the EXIF note (orientation 6) that says so."""
    for suffix, factor in (("", paper.scale), ("_2x", paper.scale // 2)):
        lying = paper.image.reduce(factor).transpose(Image.Transpose.ROTATE_90)
        exif = Image.Exif()
        exif[0x0112] = 6
        lying.save(folder / f"{name}{suffix}.jpg", quality=52, optimize=True, exif=exif)
