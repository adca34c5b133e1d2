# Longbox
# SPDX-License-Identifier: MIT
"""Power cuts: what the server has acknowledged is on the disk, and not only in the system's memory."""

import threading

import pytest

import disks
import faults
import programs
from readers import Reader

ACTS = {"forms": Reader.like, "syncs": Reader.sync}


@pytest.mark.parametrize("act", ACTS)
def test_acknowledged_changes_survive_a_power_cut(act, data, tmp_path):
    disk = disks.Disk(tmp_path)
    with disk.server(data) as server:
        readers = [Reader(server.address) for _ in range(4)]

        def work(reader):
            for number in range(1, 11):
                ACTS[act](reader, number)

        threads = [threading.Thread(target=work, args=[reader]) for reader in readers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        server.kill()
    assert all(len(reader.acknowledged) == 10 for reader in readers)
    found = disk.cut(data, tmp_path / "found")
    with faults.server(found) as server:
        for reader in readers:
            reader.address = server.address
            reader.assert_nothing_is_lost()
    faults.assert_sound(found)


@pytest.mark.parametrize("act", ACTS)
def test_each_change_is_synced_before_it_is_acknowledged(act, data, tmp_path):
    disk = disks.Disk(tmp_path)
    with disk.server(data) as server:
        reader = Reader(server.address)
        for number in range(1, 11):
            before = disk.syncs
            ACTS[act](reader, number)
            assert number in reader.acknowledged
            assert disk.syncs > before, f"change {number} was acknowledged without a sync"


def test_a_new_passphrase_survives_a_power_cut(data, tmp_path):
    """A command changes the database beside the server, so it has to sync, too."""
    disk = disks.Disk(tmp_path)
    passphrase = tmp_path / "passphrase"
    passphrase.write_text("correct horse battery staple\n", encoding="utf-8")
    with disk.server(data) as server:
        done = programs.longbox("passphrase", "--passphrase-file", passphrase, data=data, **disk.settings)
        assert done.returncode == 0, done.stderr
        server.kill()
    found = disk.cut(data, tmp_path / "found")
    done = programs.longbox("setup", "--yes", data=found)
    assert "There is no passphrase yet" not in done.stderr, done.stderr


def test_a_new_authority_and_new_settings_survive_a_power_cut(data, tmp_path):
    """Phones trust the authority: with another one after a power cut, they would refuse the server."""
    disk = disks.Disk(tmp_path)
    passphrase = tmp_path / "passphrase"
    passphrase.write_text("correct horse battery staple\n", encoding="utf-8")
    with disk.server(data):
        before = len(disk.folders)
        done = programs.longbox("setup", "--passphrase-file", passphrase, data=data, **disk.settings)
        assert done.returncode == 0, done.stderr
        assert {str(data / "tls"), str(data)} <= set(disk.folders[before:]), disk.folders
