# Longbox
# SPDX-License-Identifier: MIT
"""Commands that root runs on the folder of another user, who may have put links there."""

import os
import shutil
import stat
import tempfile
from pathlib import Path

import pytest

import programs
from stored import rows

OWNER, OTHER = 12_345, 23_456
SECRET = b"root's own words, which no other user may read or change\n"

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can run commands on another user's folder")


def give(path, user=OWNER):
    """Gives a file, or a folder with everything in it, to a user."""
    for place in [path, *path.rglob("*")]:
        os.chown(place, user, user, follow_symlinks=False)


class Machine:
    """A data folder that belongs to a user, in a folder of root's, and root's own files."""

    def __init__(self, folder, stored):
        # Others may pass through this folder, as through /var/lib.
        folder.chmod(0o755)
        self.library = folder / "lib"
        self.library.mkdir(mode=0o755)
        self.data = shutil.copytree(stored, self.library / "longbox")
        self.data.chmod(0o700)
        give(self.data)
        self.root = folder / "root"
        self.root.mkdir(mode=0o700)
        self.secret = self.root / "secret"
        self.secret.write_bytes(SECRET)
        self.secret.chmod(0o600)
        self.folder = self.root / "folder"
        self.folder.mkdir(mode=0o700)
        (self.folder / "kept").write_bytes(SECRET)
        self.passphrase = self.root / "passphrase"
        self.passphrase.write_text("correct horse battery staple\n", encoding="utf-8")
        self.passphrase.chmod(0o600)
        self.backup = self.root / "saved.backup"
        done = self.run("backup", self.backup)
        assert done.returncode == 0, done.stderr

    def run(self, *arguments):
        """Runs a command as root."""
        done = programs.longbox(*arguments, data=self.data, LONGBOX_XKCD_URL=programs.closed_address())
        assert done.returncode not in programs.CRASHES, (arguments, done.returncode, done.stderr)
        return done

    def assert_untouched(self):
        """Checks that root's files are as they were, and that the user has no copy of them."""
        assert {path.name for path in self.root.iterdir()} >= {"secret", "folder", "saved.backup"}
        assert [path.name for path in self.folder.iterdir()] == ["kept"]
        for path in (self.secret, self.folder / "kept"):
            facts = path.lstat()
            assert stat.S_ISREG(facts.st_mode) and facts.st_uid == 0, path
            assert path.read_bytes() == SECRET, path
        assert stat.S_IMODE(self.secret.stat().st_mode) == 0o600
        assert self.folder.stat().st_uid == 0
        for path in self.library.rglob("*"):
            if path.is_symlink() or not path.is_file():
                continue
            assert SECRET not in path.read_bytes(), path

    def assert_owned(self, folder):
        """Checks that everything in a folder belongs to the user."""
        for path in [folder, *folder.rglob("*")]:
            assert path.lstat().st_uid == OWNER, path


@pytest.fixture
def machine(stored_comics):
    """A user's data folder with comics, and root's files."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        yield Machine(Path(folder), stored_comics)


@pytest.fixture
def comics(recorded, machine):
    """Comics to import, which the user may read."""
    folder = shutil.copytree(recorded / "xkcd", machine.library / "comics")
    folder.chmod(0o755)
    return folder


def test_a_restored_folder_belongs_to_the_same_user(machine):
    before = rows(machine.data / "longbox.sqlite")
    done = machine.run("restore", machine.backup)
    assert done.returncode == 0, done.stderr
    machine.assert_owned(machine.data)
    machine.assert_owned(machine.library / "longbox.before-restore")
    assert rows(machine.data / "longbox.sqlite") == before
    assert {path.name for path in machine.library.iterdir()} == {"longbox", "longbox.before-restore"}
    # A backup that root alone may write is root's.
    assert machine.backup.stat().st_uid == 0 and stat.S_IMODE(machine.backup.stat().st_mode) == 0o600


def test_what_a_killed_restoration_left_is_removed(machine):
    fresh = machine.library / "longbox.restoring"
    (fresh / "pictures").mkdir(parents=True)
    (fresh / "pictures" / "part").write_bytes(b"part")
    give(fresh)
    done = machine.run("restore", machine.backup)
    assert done.returncode == 0, done.stderr
    assert not fresh.exists()


def test_a_folder_that_is_missing_belongs_to_the_user_above(machine, comics):
    machine.data = machine.data / "new" / "data"
    done = machine.run("import", comics)
    assert done.returncode == 0, done.stderr
    machine.assert_owned(machine.data.parent)


def test_a_link_of_the_user_to_a_folder_of_root_gives_no_rights(machine, comics):
    machine.data = machine.data / "link"
    machine.data.symlink_to(machine.folder)
    os.chown(machine.data, OWNER, OWNER, follow_symlinks=False)
    for command in (["import", comics], ["restore", machine.backup], ["passphrase", "--passphrase-file", machine.passphrase]):
        assert machine.run(*command).returncode != 0, command
        machine.assert_untouched()


@pytest.mark.parametrize("place", ["link", "link/data", "link/new/data"])
def test_a_link_of_the_user_to_a_folder_of_another_user_gives_no_rights(place, machine, comics):
    """Root's commands must not write there with that user's rights, whether the link is the data folder or above it."""
    home = machine.library / "home"
    (home / "data").mkdir(parents=True, mode=0o700)
    home.chmod(0o700)
    give(home, OTHER)
    link = machine.data / "link"
    # So that the other user may pass.
    link.parent.chmod(0o755)
    link.symlink_to(home)
    os.chown(link, OWNER, OWNER, follow_symlinks=False)
    # A link of root in front changes nothing.
    machine.data = machine.library / "first"
    machine.data.symlink_to(link.parent / place)
    for command in (["import", comics], ["restore", machine.backup], ["passphrase", "--passphrase-file", machine.passphrase]):
        assert machine.run(*command).returncode != 0, command
        assert [path.name for path in home.rglob("*")] == ["data"], command


def test_a_link_of_root_leads_to_the_folder_of_the_user(machine, comics):
    link = machine.library / "link"
    link.symlink_to(machine.data)
    folder, machine.data = machine.data, link
    done = machine.run("import", comics)
    assert done.returncode == 0, done.stderr
    machine.assert_owned(folder)


# Where Longbox writes or reads in a data folder, and whether it expects a folder there.
PLACES = {
    "longbox.lock": False,
    "longbox.sqlite": False,
    "longbox.sqlite-wal": False,
    "longbox.sqlite-shm": False,
    "longbox.sqlite.restoring": False,
    "longbox.sqlite.before-restore": False,
    "vapid.pem": False,
    "vapid.pem.new": False,
    "longbox.yaml": False,
    "longbox.yaml.new": False,
    "server.address": False,
    "pictures": True,
    "pictures/incoming": True,
    "artwork": True,
    "artwork/incoming": True,
    "upgrades": True,
    "authority": True,
}


@pytest.mark.parametrize("place", PLACES)
def test_no_command_follows_a_link_of_the_user(place, machine, comics, tmp_path):
    copy = tmp_path / "copy.sqlite"
    shutil.copy(machine.data / "longbox.sqlite", copy)
    commands = [
        ["import", comics],
        ["backup", machine.root / "second.backup"],
        ["passphrase", "--passphrase-file", machine.passphrase],
        ["setup", "--passphrase-file", machine.passphrase],
        ["status", "--deep"],
        ["doctor"],
        ["notify"],
        ["reload", "1"],
        ["favorites", "1"],
        ["restore", copy],
        ["restore", machine.backup],
    ]
    for command in commands:
        link = machine.data / place
        if link.is_dir() and not link.is_symlink():
            shutil.rmtree(link)
        link.unlink(missing_ok=True)
        link.symlink_to(machine.folder if PLACES[place] else machine.secret)
        os.chown(link, OWNER, OWNER, follow_symlinks=False)
        machine.run(*command)
        machine.assert_untouched()
        (machine.root / "second.backup").unlink(missing_ok=True)
        for old in machine.library.glob("longbox.before-restore*"):
            shutil.rmtree(old)


def test_a_server_of_root_deletes_nothing_behind_a_link(machine):
    link = machine.data / "pictures" / "incoming"
    shutil.rmtree(link)
    link.symlink_to(machine.folder)
    done = machine.run("serve", "--port", 0)
    assert done.returncode == 74 and str(link) in done.stderr, done.stderr
    machine.assert_untouched()
