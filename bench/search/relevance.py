#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Scores answers to queries whose right comics are known: MRR@10 and success@1, 3, 10, by kind of query.

Usage: relevance.py QUERIES.tsv RUN.tsv
       relevance.py QUERIES.tsv --fts5 DOCUMENTS.jsonl [--explanations]

QUERIES.tsv has a header and the columns id, kind, query, answers (comic numbers with commas between). RUN.tsv has a
line `id<TAB>number,number,...` a query, the best first; `-` reads it from the standard input. The second form answers
with SQLite's FTS5 (Porter stems, bm25 with weighted columns) instead, as a peer: each line of DOCUMENTS.jsonl is an
object with number, title, alt, transcript and explanation.
"""
import argparse
import csv
import json
import re
import sqlite3
import sys
import time

KINDS = ["real", "title", "typo", "quote", "alt", "topic"]


def read_run(path):
    with sys.stdin if path == "-" else open(path, encoding="utf-8") as lines:
        rows = (line.rstrip("\n").split("\t") for line in lines)
        return {row[0]: [int(n) for n in row[1].split(",") if n] for row in rows if len(row) == 2}


def run_fts5(queries, path, explanations):
    database = sqlite3.connect(":memory:")
    database.execute(
        "CREATE VIRTUAL TABLE comic USING fts5(title, alt, transcript, explanation, tokenize = 'porter unicode61')"
    )
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            d = json.loads(line)
            row = [d["number"], d["title"], d["alt"], d["transcript"], d["explanation"] if explanations else ""]
            database.execute("INSERT INTO comic(rowid, title, alt, transcript, explanation) VALUES (?,?,?,?,?)", row)
    run, times = {}, []
    for query in queries:
        words = " OR ".join('"%s"' % word for word in re.findall(r"\w+", query["query"].lower()))
        start = time.perf_counter()
        rows = database.execute(
            "SELECT rowid FROM comic WHERE comic MATCH ? ORDER BY bm25(comic, 8, 2, 1, 0.5) LIMIT 10", [words or '""']
        ).fetchall()
        times.append(time.perf_counter() - start)
        run[query["id"]] = [row[0] for row in rows]
    times.sort()
    print("p50 %.0f us, p99 %.0f us" % (times[len(times) // 2] * 1e6, times[len(times) * 99 // 100] * 1e6))
    return run


def report(queries, run):
    ranks = []
    for query in queries:
        right = {int(n) for n in query["answers"].split(",")}
        found = run.get(query["id"], [])[:10]
        ranks.append((query["kind"], next((k for k, n in enumerate(found, 1) if n in right), 0)))
    groups = [(kind, {kind}) for kind in KINDS] + [("recall", set(KINDS[1:])), ("all", set(KINDS))]
    print("%-8s %4s %7s %5s %5s %5s" % ("kind", "n", "MRR@10", "S@1", "S@3", "S@10"))
    for name, kinds in groups:
        these = [rank for kind, rank in ranks if kind in kinds]
        if these:
            shares = [sum(0 < rank <= k for rank in these) / len(these) for k in (1, 3, 10)]
            mean = sum(1 / rank for rank in these if rank) / len(these)
            print("%-8s %4d %7.3f %5.3f %5.3f %5.3f" % (name, len(these), mean, *shares))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("queries")
    parser.add_argument("run", nargs="?")
    parser.add_argument("--fts5", metavar="DOCUMENTS")
    parser.add_argument("--explanations", action="store_true")
    arguments = parser.parse_args()
    with open(arguments.queries, encoding="utf-8", newline="") as lines:
        queries = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    if arguments.fts5:
        run = run_fts5(queries, arguments.fts5, arguments.explanations)
    elif arguments.run:
        run = read_run(arguments.run)
    else:
        parser.error("name a run, or a peer")
    report(queries, run)


main()
