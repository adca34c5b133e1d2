# Longbox
# SPDX-License-Identifier: MIT
"""Writes a sheet as the files a comic has: `name.png` and `name_2x.png`, small."""

from pathlib import Path

from PIL import Image

from .ink import Paper

GREYS = 16


def _levels(image: Image.Image) -> Image.Image:
    """A grey picture with sixteen levels, four bits a pixel: all that ink on paper needs."""
    steps = [round(v / 255 * (GREYS - 1)) for v in range(256)]
    indexed = image.point(steps).copy()
    picture = Image.frombytes("P", image.size, indexed.tobytes())
    picture.putpalette([c for i in range(GREYS) for c in [round(i * 255 / (GREYS - 1))] * 3])
    return picture


def _clear(image: Image.Image) -> Image.Image:
    """Black ink of sixteen strengths on nothing at all: white becomes transparent."""
    picture = _levels(image)
    picture.putpalette([c for _ in range(GREYS) for c in [24] * 3])
    picture.info["transparency"] = bytes(255 - round(i * 255 / (GREYS - 1)) for i in range(GREYS))
    return picture


def _coloured(image: Image.Image, colours) -> Image.Image:
    return image.quantize(colours, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def png(paper: Paper, folder: Path, name: str, clear=False, colours=128):
    """Writes the 1x and 2x PNG files."""
    for suffix, factor in (("", paper.scale), ("_2x", paper.scale // 2)):
        small = paper.image.reduce(factor)
        path = folder / f"{name}{suffix}.png"
        if small.mode == "RGB":
            _coloured(small, colours).save(path, optimize=True)
        elif clear:
            picture = _clear(small)
            picture.save(path, optimize=True, bits=4, transparency=picture.info["transparency"])
        else:
            _levels(small).save(path, optimize=True, bits=4)


def gif(frames: list[Paper], folder: Path, name: str, pause: int):
    """Writes an animated GIF that never stops, `pause` milliseconds a frame."""
    pictures = [_levels(f.image.reduce(f.scale)) for f in frames]
    pictures[0].save(folder / f"{name}.gif", save_all=True, append_images=pictures[1:], duration=pause, loop=0, optimize=True)


def rotated_jpeg(paper: Paper, folder: Path, name: str):
    """Writes JPEG files that lie on their side, with the EXIF note (orientation 6) that says so."""
    for suffix, factor in (("", paper.scale), ("_2x", paper.scale // 2)):
        lying = paper.image.reduce(factor).transpose(Image.Transpose.ROTATE_90)
        exif = Image.Exif()
        exif[0x0112] = 6
        lying.save(folder / f"{name}{suffix}.jpg", quality=72, optimize=True, exif=exif)
