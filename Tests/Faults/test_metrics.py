# Longbox
# SPDX-License-Identifier: MIT
"""What an operator sees of a running server: metrics, logs and request IDs."""

import http.client
import json
import re
import subprocess
from urllib.parse import urlsplit

from prometheus_client.parser import text_string_to_metric_families

import faults
import programs
from readers import Reader
from waiting import until

COUNTING = {"LONGBOX_METRICS": "loopback"}


def families(address):
    """The metrics by name, read by Prometheus' own parser."""
    status, headers, body = programs.get(f"{address}/metrics")
    assert status == 200, body
    assert headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    found = {family.name: family for family in text_string_to_metric_families(body.decode())}
    assert all(family.documentation for family in found.values()), "a metric has no help text"
    return found


def value(found, family, sample=None, **labels):
    """The sum of the samples with these labels."""
    samples = [each for each in found[family].samples if each.name == (sample or each.name)]
    return sum(each.value for each in samples if labels.items() <= each.labels.items())


def test_prometheus_can_read_every_metric(data, source):
    with programs.server(data, source.address, **COUNTING, LONGBOX_XKCD_RATE=100) as server:
        reader = Reader(server.address)
        # A new comic empties the memory of pages, so all are fetched first.
        until(lambda: value(families(server.address), "longbox_fill_missing") == 0, "everything is fetched")
        kept = http.client.HTTPConnection(urlsplit(server.address).netloc)

        def is_answered_from_memory():
            # A request that ends its connection is not answered from memory.
            for _ in range(3):
                kept.request("GET", "/1/")
                page = kept.getresponse()
                assert page.status == 200 and page.read()
            return value(families(server.address), "longbox_cache_answers", cache="responses", tier="memory") >= 1

        # The archive may change once more after the last fetch, which empties the memory.
        until(is_answered_from_memory, "a page comes from memory")
        kept.close()
        assert reader.get("/no-such-page").status == 404
        assert reader.get("/comics/1/image").status == 200
        assert reader.sync(1).status == 200
        assert reader.form("/no-such-form").status == 405
        assert reader.send("GET", "/" + "x" * 5000).status == 414
        found = families(server.address)
        assert value(found, "longbox_http_requests", method="GET", route="/**", status="200") >= 3
        assert value(found, "longbox_http_requests", route="/**", status="404") == 1
        assert value(found, "longbox_http_requests", method="POST", route="/sync", status="200") == 1
        assert (
            value(found, "longbox_http_request_duration_seconds", "longbox_http_request_duration_seconds_count", route="/sync")
            == 1
        )
        buckets = [
            (float(each.labels["le"]), each.value)
            for each in found["longbox_http_request_duration_seconds"].samples
            if each.name.endswith("_bucket") and each.labels["route"] == "/**"
        ]
        assert buckets == sorted(buckets) and buckets[-1][0] == float("inf") and len(buckets) > 10
        assert value(found, "longbox_cache_answers", cache="pictures") >= 1
        for name in ("xkcd", "explain"):
            assert value(found, "longbox_source_requests", source=name, outcome="answered") >= 1
            count = "longbox_source_wait_seconds_count"
            assert value(found, "longbox_source_wait_seconds", count, source=name) >= 1
        assert value(found, "longbox_source_queue", source="xkcd") == 0
        assert value(found, "longbox_sync_entries", direction="received") >= 1
        assert value(found, "longbox_store_bytes", what="pictures") > 1000
        assert value(found, "longbox_store_comics") == programs.status(data)["comics"]
        assert value(found, "longbox_rejected", reason="longAddress") == 1
        assert value(found, "longbox_source_down") == 0
        assert 0 <= value(found, "longbox_source_answer_age_seconds") < 600
        assert value(found, "longbox_build_info") == 1
        before = value(found, "longbox_http_requests", route="/**", status="200")
        assert reader.get("/1/").status == 200
        assert value(families(server.address), "longbox_http_requests", route="/**", status="200") == before + 1


def test_metrics_are_available_only_on_this_machine(data):
    with faults.server(data, **COUNTING) as server:
        assert programs.get(f"{server.address}/metrics")[0] == 200
        assert programs.get(f"{server.address}/metrics", {"X-Forwarded-For": "192.0.2.1"})[0] == 404
        host = f"{subprocess.check_output('hostname', text=True).strip()}:{urlsplit(server.address).port}"
        assert programs.get(f"{server.address}/metrics", {"Host": host})[0] in (404, 421)
    with faults.server(data) as server:
        status, headers, body = programs.get(f"{server.address}/metrics")
        assert status == 404 and "LONGBOX_METRICS" in json.loads(body)["detail"]
    wrong = programs.longbox("serve", "--metrics", "everywhere", data=data)
    assert wrong.returncode == 78 and "off or loopback" in wrong.stderr


def test_the_dashboard_and_the_documentation_have_every_metric():
    docs = programs.ROOT / "docs"
    dashboard = json.loads((docs / "grafana.json").read_text(encoding="utf-8"))
    shown = {
        re.sub(r"_(bucket|count|sum)$", "", name)
        for panel in dashboard["panels"]
        for target in panel["targets"]
        for name in re.findall(r"longbox_\w+", target["expr"])
    }
    sources = (programs.ROOT / "Sources/LongboxServer/Metrics/ServerMetrics.swift").read_text(encoding="utf-8")
    declared = set(re.findall(r'^    "(longbox_\w+)":', sources, re.MULTILINE))
    described = set(re.findall(r"`(longbox_\w+)`", (docs / "operating.md").read_text(encoding="utf-8")))
    assert shown == declared == described


def test_logs_can_be_json_with_a_level_for_each_module(data, source):
    settings = COUNTING | {"LONGBOX_LOG_FORMAT": "json", "LONGBOX_LOG": "notice,sources=debug", "LONGBOX_ACCESS_LOG": "off"}
    with faults.server(data, source.address, **settings) as server:
        reader = Reader(server.address)
        page = reader.get("/no-such-page")
        assert re.fullmatch(r"[0-9a-f]+", page.headers["X-Request-ID"])
        # A comic that isn't stored, so that xkcd is asked.
        assert reader.get("/57/").status == 200
        assert reader.send("GET", "/" + "x" * 5000).status == 414
        until(lambda: "address is too long" in server.logged(), "the last request is logged")
        lines = [json.loads(line) for line in server.logged().splitlines()]
    modules = {line["module"]: line for line in lines}
    assert modules["sources"]["level"] == "debug", lines
    assert all(line["module"] == "sources" or line["level"] in ("notice", "warning", "error") for line in lines), lines
    flood = next(line for line in lines if "address is too long" in line["message"])
    assert flood["details"]["count"] == "1" and re.match(r"\d{4}-\d\d-\d\dT", flood["time"])
    for level in ("loud", "notice,nobody=debug", "notice,sources="):
        wrong = programs.longbox("serve", data=data, LONGBOX_LOG=level)
        assert wrong.returncode == 78 and "LONGBOX_LOG" in wrong.stderr, wrong.stderr
