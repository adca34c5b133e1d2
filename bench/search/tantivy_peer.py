#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Answers queries with tantivy's Python binding, as a peer of search-bench.

    tantivy_peer.py DOCUMENTS.jsonl QUERIES.tsv [--rounds N]

Every field is stemmed; an extra field holds all texts. A query matches words exactly in any field, or with one edit
(from four letters on) in the field of all texts. The output format is that of `search-bench ask`.
"""

import argparse
import csv
import json
import re
import time

import tantivy

# Field weights; the best that were tried on the development queries.
WEIGHTS = {"title": 1.0, "alt": 0.3, "transcript": 0.3, "explanation": 0.3, "all": 2.0}
NEARLY = 3.0


def indexed(path):
    builder = tantivy.SchemaBuilder()
    builder.add_integer_field("number", stored=True, fast=True)
    for field in WEIGHTS:
        builder.add_text_field(field, stored=False, tokenizer_name="en_stem")
    schema = builder.build()
    index = tantivy.Index(schema)
    writer = index.writer(heap_size=200_000_000, num_threads=1)
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            comic = json.loads(line)
            texts = {field: comic[field] for field in WEIGHTS if field != "all"}
            writer.add_document(tantivy.Document(number=comic["number"], all="\n".join(texts.values()), **texts))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return index


def answers(index, searcher, text):
    words = " ".join(re.findall(r"\w+", text.lower()))
    if not words:
        return []
    exact = index.parse_query(words, list(WEIGHTS), field_boosts=WEIGHTS)
    long_words = " ".join(word for word in words.split() if len(word) >= 4)
    query = exact
    if long_words:
        near = index.parse_query(long_words, ["all"], fuzzy_fields={"all": (False, 1, True)})
        query = tantivy.Query.boolean_query(
            [
                (tantivy.Occur.Should, exact),
                (tantivy.Occur.Should, tantivy.Query.boost_query(near, NEARLY)),
            ]
        )
    hits = searcher.search(query, 10).hits
    return [searcher.doc(address)["number"][0] for _, address in hits]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents")
    parser.add_argument("queries")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    with open(arguments.queries, encoding="utf-8", newline="") as lines:
        queries = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    index = indexed(arguments.documents)
    searcher = index.searcher()
    report = {"answers": {}, "microseconds": {query["id"]: [] for query in queries}}
    for round_number in range(arguments.rounds + 1):
        for query in queries:
            started = time.perf_counter()
            report["answers"][query["id"]] = answers(index, searcher, query["query"])
            if round_number > 0:  # the first warms up
                report["microseconds"][query["id"]].append((time.perf_counter() - started) * 1e6)
    print(json.dumps({"tantivy": report}))


if __name__ == "__main__":
    main()
