# Longbox
# SPDX-License-Identifier: MIT
"""The JSON API matches its description: schemathesis generates valid and invalid requests."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import programs

# schemathesis may take minutes on a busy machine.
pytestmark = pytest.mark.timeout(1_000)

SCHEMATHESIS = Path(sys.executable).with_name("schemathesis")


def check_responses(folder, description, *options):
    """Runs schemathesis on the operations of a description, with a fixed seed."""
    command = [SCHEMATHESIS, "run", description, "--generation-deterministic", "--checks", "all", "--no-color", *options]
    return subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True, timeout=900)


def description_of(site):
    status, _, body = programs.get(f"{site}/api/openapi.json")
    assert status == 200
    return json.loads(body)


def test_every_response_matches_the_description(site, tmp_path, proxy):
    options = ["--phases", "examples,coverage,fuzzing", "--max-examples", 40]
    # nginx itself rejects TRACE, and doesn't say what is allowed.
    options += ["--exclude-checks", "unsupported_method"] if proxy == "nginx" else []
    report = check_responses(tmp_path, f"{site}/api/openapi.json", *options)
    assert report.returncode == 0, report.stdout + report.stderr
    made, passed = map(int, re.search(r"(\d+) generated, (\d+) passed", report.stdout).groups())
    print(f"schemathesis: {made} requests, {passed} responses as described")
    assert passed == made > 200
    # All but the description's own address, which schemathesis leaves out.
    assert int(re.search(r"Tested: (\d+)", report.stdout)[1]) == len(description_of(site)["paths"]) - 1


def test_a_response_that_does_not_match_the_description_is_found(site, tmp_path):
    wrong = description_of(site)
    wrong["components"]["schemas"]["Comic"]["properties"]["title"]["type"] = "integer"
    file = tmp_path / "openapi.json"
    file.write_text(json.dumps(wrong))
    report = check_responses(tmp_path, file, "--url", site, "--phases", "examples", "--include-operation-id", "comic")
    assert report.returncode == 1, report.stdout + report.stderr
    assert "Response violates schema" in report.stdout


def test_a_page_of_another_site_can_read_responses(open_page, site, sample_site):
    page = open_page(f"{sample_site}/about", bypass_csp=True)
    read = "async address => { const reply = await fetch(address); return [reply.status, await reply.json()] }"
    status, comic = page.evaluate(read, f"{site}/api/comics/353")
    assert (status, comic["title"]) == (200, "Python")
