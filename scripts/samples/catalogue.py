# Longbox
# SPDX-License-Identifier: MIT
"""Which drawing belongs to which name, and how it is written down."""

from pathlib import Path

from . import cartography, charts, drawer, export, leaves, reading_room, records, strips, train, views

DRAWINGS = {
    "miscellaneous": lambda folder, name: export.png(strips.miscellaneous(), folder, name),
    "deja_vu": lambda folder, name: export.png(strips.deja_vu(), folder, name),
    "dear_firstname": lambda folder, name: export.png(strips.dear_firstname(), folder, name),
    "q_and_a": lambda folder, name: export.png(strips.question_and_answer(), folder, name),
    "transparency": lambda folder, name: export.png(strips.transparency(), folder, name, clear=True),
    "this_way_up": lambda folder, name: export.rotated_jpeg(strips.this_way_up(), folder, name),
    "rests": lambda folder, name: export.png(charts.rests(), folder, name),
    "terra_legacia": lambda folder, name: export.png(cartography.terra_legacia(), folder, name),
    "pen_cycle": lambda folder, name: export.png(charts.pen_cycle(), folder, name),
    "new_constellations": lambda folder, name: export.png(
        views.new_constellations(), folder, name, levels=8),
    "card_catalogue": lambda folder, name: export.png(views.card_catalogue(), folder, name),
    "train_of_thought": lambda folder, name: export.png(train.train_of_thought(), folder, name),
    "the_drawer": lambda folder, name: export.png(drawer.the_drawer(), folder, name, levels=12),
    "leaves": lambda folder, name: export.png(leaves.field_guide_to_leaves(), folder, name),
    "reading_room": lambda folder, name: export.png(reading_room.reading_room(), folder, name),
    "steady_state": lambda folder, name: export.gif(strips.steady_state(), folder, name, pause=260),
}


def draw(slug: str, folder: Path) -> str:
    """Draws one comic and says what was written."""
    name = f"sample_{slug}"
    DRAWINGS[slug](folder, name)
    files = sorted(f for f in folder.iterdir() if f.stem in (name, f"{name}_2x"))
    return "  ".join(f"{f.name} {f.stat().st_size // 1024} KB" for f in files)


def write_records(folder: Path):
    """Writes the records and explanations."""
    (folder / "records.jsonl").write_text(records.comics_jsonl(), encoding="utf-8")
    (folder / "explanations.jsonl").write_text(records.explanations_jsonl(), encoding="utf-8")
