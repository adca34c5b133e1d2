# Longbox
# SPDX-License-Identifier: MIT
"""A disk that is full or read-only: pages are served, changes are rejected with the reason, and nothing is lost."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

import disks
import faults
import programs
from readers import Reader


def test_a_full_disk_stops_changes_but_not_pages(stored_texts, tmp_path, source):
    data = tmp_path / "data"
    data.mkdir()
    with faults.small_disk(data, 12):
        shutil.copytree(stored_texts, data, dirs_exist_ok=True)
        with faults.server(data, source.address) as server:
            reader, device = Reader(server.address), Reader(server.address)
            assert reader.like(1).status == 303
            assert device.sync(1).status == 200
            with faults.full(data):
                # The write-ahead log may have some space left.
                for number in range(2, 2000):
                    answer = reader.like(number)
                    if answer.status != 303:
                        break
                faults.assert_not_saved(answer)
                assert answer.status == 507
                rejected = device.sync(2)
                faults.assert_not_saved(rejected)
                assert rejected.status == 507
                faults.assert_pages_are_served(server.address)
                # With a cookie, a page also stores the place. This page shows a picture that can't be stored.
                assert reader.get("/7/").status == 200
                picture = reader.get("/comics/7/image")
                assert picture.status in (200, 503, 507) and picture.headers["Content-Type"].startswith("image/")
                reader.assert_nothing_is_lost()
            assert reader.like(5000).status == 303
            assert device.sync(3).status == 200
            faults.until_served(reader, "/comics/7/image")
        with faults.server(data) as server:
            for each in (reader, device):
                each.address = server.address
                each.assert_nothing_is_lost()
        faults.assert_sound(data)


def test_pages_are_served_while_the_folder_is_read_only(stored_texts, tmp_path, source):
    data = shutil.copytree(stored_texts, tmp_path / "data")
    with faults.server(data, source.address) as server:
        reader = Reader(server.address)
        assert reader.like(1).status == 303
        with faults.read_only(data):
            faults.assert_pages_are_served(server.address)
            assert reader.get("/7/").status == 200
            picture = reader.get("/comics/7/image")
            assert picture.status in (200, 503) and picture.headers["Content-Type"].startswith("image/")
            # The database was open before.
            answer = reader.like(2)
            if answer.status != 303:
                faults.assert_not_saved(answer)
            reader.assert_nothing_is_lost()
        faults.until_served(reader, "/comics/7/image")
        assert reader.like(3).status == 303
        reader.assert_nothing_is_lost()


def test_the_server_does_not_start_on_a_read_only_folder(data):
    before = {path: path.stat().st_size for path in data.rglob("*")}
    with faults.read_only(data):
        started = programs.longbox("serve", "--port", 0, data=data)
        assert started.returncode == 74, started.stderr
        assert str(data) in started.stderr and started.stderr.count("\n") == 1
    assert {path: path.stat().st_size for path in data.rglob("*")} == before
    with faults.server(data) as server:
        faults.assert_pages_are_served(server.address)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can start a program as another user")
def test_a_folder_of_another_user_is_named_with_its_owner():
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        Path(place).chmod(0o755)
        folder = Path(place) / "data"
        folder.mkdir(mode=0o700)
        os.chown(folder, 12_345, 12_345)

        def run(command, data):
            environment = programs.environment(LONGBOX_DATA=data, **programs.no_sources())
            command = [programs.binaries() / "longbox", *command]
            user = {"user": 23_456, "group": 23_456, "extra_groups": []}
            return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, **user)

        started = run(["serve", "--port", "0"], folder)
        assert started.returncode == 74
        assert f"{folder} belongs to uid 12345, and this process runs as uid 23456." in started.stderr
        assert f"sudo chown -R 23456 {folder}" in started.stderr
        found = run(["doctor"], folder).stdout
        assert f"{folder} belongs to uid 12345, and this process runs as uid 23456." in found
        started = run(["serve", "--port", "0"], folder.with_name("missing"))
        assert started.returncode == 74
        assert f"sudo install --directory --owner 23456 --mode 700 {place}/missing" in started.stderr


@pytest.mark.parametrize(("kind", "name"), [("0x6969", "NFS"), ("0xFF534D42", "SMB"), ("0x65735546", "FUSE")])
def test_doctor_warns_of_a_file_system_of_a_network(data, tmp_path, kind, name):
    settings = {"LD_PRELOAD": disks.preloadable("statfs", tmp_path), "STATFS_KIND": kind}
    found = programs.longbox("doctor", data=data, **programs.no_sources(), **settings).stdout
    assert f"warning  Disk: The data folder is on {name}." in found
    assert "The data folder is on" not in programs.longbox("doctor", data=data, **programs.no_sources()).stdout
