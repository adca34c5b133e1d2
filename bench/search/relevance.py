#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Scores answers to queries with known right comics: MRR@10 and success@1, 3, 10, by kind of query.

Usage: relevance.py QUERIES.tsv RUN.tsv [OTHER.tsv]

QUERIES.tsv has a header and the columns id, kind, query, answers (comma-separated comic numbers). RUN.tsv has a line
`id<TAB>number,number,...` per query, best first; `-` reads it from standard input. The output of search-bench and
tantivy_peer.py also works. With another run, prints the difference and its standard deviation when the queries are
resampled (seeded bootstrap).
"""

import argparse
import csv
import json
import random
import statistics
import sys


def read_queries(path):
    with open(path, encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def read_run(path):
    with sys.stdin if path == "-" else open(path, encoding="utf-8") as lines:
        text = lines.read()
    if text.startswith("{"):
        reports = json.loads(text)
        return (reports.get("longbox") or next(iter(reports.values())))["answers"]
    rows = (line.split("\t") for line in text.splitlines())
    return {row[0]: [int(n) for n in row[1].split(",") if n] for row in rows if len(row) == 2}


def rank(query, run):
    """The rank of the first right answer among the first ten; 0 if there is none."""
    right = {int(n) for n in query["answers"].split(",")}
    return next((k for k, n in enumerate(run.get(query["id"], [])[:10], 1) if n in right), 0)


def reciprocals(queries, run):
    return [1 / place if (place := rank(query, run)) else 0 for query in queries]


def mean_reciprocal_rank(queries, run):
    return statistics.fmean(reciprocals(queries, run))


def table(queries, run):
    """A line per kind of query, then all; `recall` covers the queries written from memory of a comic."""
    kinds = list(dict.fromkeys(query["kind"] for query in queries))
    groups = [(kind, {kind}) for kind in kinds]
    if "real" in kinds:
        groups.append(("recall", set(kinds) - {"real"}))
    yield f"{'kind':<8} {'n':>4} {'MRR@10':>7} {'S@1':>5} {'S@3':>5} {'S@10':>5}"
    for name, members in [*groups, ("all", set(kinds))]:
        these = [rank(query, run) for query in queries if query["kind"] in members]
        shares = " ".join(f"{sum(0 < place <= k for place in these) / len(these):.3f}" for k in (1, 3, 10))
        mean = sum(1 / place for place in these if place) / len(these)
        yield f"{name:<8} {len(these):>4} {mean:>7.3f} {shares}"


def difference(queries, run, other):
    """The improvement by the other run, and its standard deviation."""
    changes = [b - a for a, b in zip(reciprocals(queries, run), reciprocals(queries, other), strict=True)]
    dice = random.Random(1)
    means = [statistics.fmean(dice.choices(changes, k=len(changes))) for _ in range(2000)]
    return statistics.fmean(changes), statistics.stdev(means)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("queries")
    parser.add_argument("run")
    parser.add_argument("other", nargs="?")
    arguments = parser.parse_args()
    queries, run = read_queries(arguments.queries), read_run(arguments.run)
    print("\n".join(table(queries, run)))
    if arguments.other:
        other = read_run(arguments.other)
        print("\n".join(table(queries, other)))
        print("the other is better by %.3f, noise %.3f" % difference(queries, run, other))


if __name__ == "__main__":
    main()
