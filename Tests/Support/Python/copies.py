# Longbox
# SPDX-License-Identifier: MIT
"""Static copies: what `longbox publish` writes of a recording, on a host that only serves files."""

import json
import shutil
from contextlib import ExitStack, contextmanager

import programs
import static_host

BASE = "/comics-copy"


def publish(folder, data, *arguments, base=BASE, code=0):
    """Publishes a data folder; returns the report, or the error message if `code` is that of a failure."""
    result = programs.longbox("publish", folder, "--base-path", base, "--json", *arguments, data=data)
    assert result.returncode == code, result.stderr
    return json.loads(result.stdout) if code == 0 else result.stderr


class Copy:
    """A data folder, and what was published of it."""

    def __init__(self, folder, recorded):
        self.data, self.site, self.recorded = folder / "data", folder / "site", recorded
        self._recording = folder / "recording"

    def have(self, latest):
        """Imports the comics up to a number."""
        rows = (self.recorded / "xkcd" / "comics.jsonl").read_text(encoding="utf-8").splitlines()
        shutil.rmtree(self._recording, ignore_errors=True)
        self._recording.mkdir()
        (self._recording / "images").symlink_to(self.recorded / "xkcd" / "images")
        kept = [row for row in rows if json.loads(row)["num"] <= latest]
        (self._recording / "comics.jsonl").write_text("\n".join(kept) + "\n", encoding="utf-8")
        pages = (self.recorded / "explainxkcd" / "pages.jsonl").read_text(encoding="utf-8").splitlines()
        explained = [page for page in pages if json.loads(page)["num"] <= latest]
        (self._recording / "pages.jsonl").write_text("\n".join(explained) + "\n", encoding="utf-8")
        imported = programs.longbox("import", self._recording, data=self.data)
        assert imported.returncode == 0, imported.stderr

    def publish(self, *arguments, **options):
        return publish(self.site, self.data, *arguments, **options)

    def files(self):
        """The published files by path."""
        return {str(path.relative_to(self.site)): path.read_bytes() for path in self.site.rglob("*") if path.is_file()}


# What `longbox publish` is given for each kind of copy, by the name of its state.
KINDS = {"copy": (), "copy-thumbnails": ("--pictures", "thumbnails"), "copy-texts": ("--pictures", "none")}


def publish_each(data, folder):
    """Publishes a data folder with all pictures, with thumbnails, and with none, each into a folder named as its state."""
    for name, arguments in KINDS.items():
        publish(folder / name, data, *arguments)


@contextmanager
def serving_each(folder):
    """Serves what `publish_each` has written: the addresses by the name of their state."""
    with ExitStack() as stack:
        yield {name: stack.enter_context(static_host.serving(folder / name, BASE)).address for name in KINDS}


@contextmanager
def one_of_each(data, folder):
    """Publishes and serves copies of each kind."""
    publish_each(data, folder)
    with serving_each(folder) as addresses:
        yield addresses
