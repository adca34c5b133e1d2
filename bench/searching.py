# Longbox
# SPDX-License-Identifier: MIT
"""In-process search, compared with SQLite's FTS5 and tantivy: relevance, speed, and growth.

Every engine has the same texts, prepared by search-bench with Longbox's own rules. Longbox and FTS5 (C interface) answer
in turn in one program; tantivy (Python binding) answers in another. p50 and p99 are over the queries, each with the
median of its rounds.
"""

import json
import statistics
import subprocess
import sys

import measure
import programs

SEARCH = measure.ROOT / "bench" / "search"
sys.path.insert(0, str(SEARCH))

import relevance  # noqa: E402  (found by the line above)

ENGINES = ("longbox", "fts5", "tantivy")
# Longbox's MRR goals for the queries that people wrote, over all comics: A with titles, alt texts and transcripts, B
# with explanations too.
GOALS = {"A": 0.90, "B": 0.94}


def run(*command):
    """Runs a program and parses its output as JSON."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed: {done.stderr}")
    return json.loads(done.stdout)


def prepare(setting, name, *options):
    """Builds indexes for Longbox and FTS5; returns their folder and statistics."""
    folder = setting.scratch / f"search-{name}"
    folder.mkdir()
    arguments = ["--comics", setting.recording / "xkcd" / "comics.jsonl", *options]
    wiki = setting.recording / "explainxkcd" / "pages.jsonl"
    if wiki.is_file():
        arguments += ["--pages", wiki]
    return folder, run(programs.binaries() / "search-bench", "prepare", *arguments, folder)


def queries(setting, documents):
    """The file of queries that people wrote, or else of generated ones; and whether people wrote them."""
    written = setting.recording / "relevance" / "dev.tsv"
    if written.is_file():
        return written, True
    made = setting.scratch / "made.tsv"
    command = [sys.executable, SEARCH / "made_queries.py", documents, "--each", "50"]
    made.write_text(subprocess.run(command, capture_output=True, text=True, check=True).stdout, encoding="utf-8")
    return made, False


def ask(setting, folder, file):
    """The answers and times by engine."""
    rounds = 3 if setting.quick else 11
    reports = run(programs.binaries() / "search-bench", "ask", folder, file, "--rounds", rounds)
    texts = folder / "documents.jsonl"
    if texts.is_file():
        reports |= run(sys.executable, SEARCH / "tantivy_peer.py", texts, file, "--rounds", rounds)
    return reports


def percentiles(report):
    """p50 and p99 over the queries' medians, in microseconds."""
    times = sorted(statistics.median(rounds) for rounds in report["microseconds"].values())
    return times[len(times) // 2], times[min(len(times) * 99 // 100, len(times) - 1)]


def speed(name, reports, goal):
    """p50 and p99, each next to the faster peer's."""
    by_engine = {engine: percentiles(report) for engine, report in reports.items()}
    for place, label in enumerate(("p50", "p99")):
        ours = by_engine["longbox"][place]
        peer = min((engine for engine in by_engine if engine != "longbox"), key=lambda one: by_engine[one][place])
        theirs = by_engine[peer][place]
        yield measure.Figure(f"search {name}, {label}", ours, theirs, peer, "us", goal, ours <= theirs / 2)


def show_relevance(name, file, reports):
    """Prints the table of one setting."""
    rows = relevance.read_queries(file)
    for engine in ENGINES:
        if engine in reports:
            found = reports[engine]["answers"]
            p50, p99 = percentiles(reports[engine])
            print(f"\n  {engine}, {name} (p50 {p50:,.0f} us, p99 {p99:,.0f} us)")
            for line in relevance.table(rows, found):
                print("    " + line)
    print()


def mean_reciprocal_rank(file, report):
    return relevance.mean_reciprocal_rank(relevance.read_queries(file), report["answers"])


def measure_search(setting):
    file, is_written = None, False
    for name, options, what in (("A", ["--without-explanations"], "own texts"), ("B", [], "explanations too")):
        folder, said = prepare(setting, name, *options)
        if name == "B" and said["explanationIndexBytes"] < 1000:
            break  # there are none to search
        if file is None:
            file, is_written = queries(setting, folder / "documents.jsonl")
        reports = ask(setting, folder, file)
        show_relevance(f"{name}: {what}", file, reports)
        ours = mean_reciprocal_rank(file, reports["longbox"])
        theirs, peer = max((mean_reciprocal_rank(file, reports[one]), one) for one in reports if one != "longbox")
        goal = f"at least {GOALS[name]}" if is_written else ""
        is_met = round(ours, 3) >= GOALS[name]
        name_of_figure = f"search {name}, MRR@10 in thousandths"
        yield measure.Figure(name_of_figure, ours * 1000, theirs * 1000, peer, "", goal, is_met)
        yield from speed(name, reports, "half of it" if is_written else "")
    if setting.growth:
        yield from measure_growth(setting, file)


def measure_growth(setting, file):
    """Measures search over growing numbers of comics, generated from the words of the real ones.

    Uses every eighth query, since FTS5 needs half a second per query over 328,100 comics.
    """
    lines = file.read_text(encoding="utf-8").splitlines()
    file = setting.scratch / "growth.tsv"
    file.write_text("\n".join([lines[0], *lines[1::8]]) + "\n", encoding="utf-8")
    bench = programs.binaries() / "search-bench"
    for times in (1, 10, 100):
        folder, said = prepare(setting, f"x{times}", "--without-explanations", "--copies", times)
        asked = {
            engine: run(bench, "ask", folder, file, "--engine", engine, "--rounds", 1)[engine] for engine in ("longbox", "fts5")
        }
        name = f"{said['comics']:,} comics"
        ours, theirs = asked["longbox"], asked["fts5"]
        for place, label in enumerate(("p50", "p99")):
            mine, other = percentiles(ours)[place], percentiles(theirs)[place]
            yield measure.Figure(f"{name}: search, {label}", mine, other, "fts5", "us")
        size, peer_size = said["indexBytes"] / 1e6, said["fts5Bytes"] / 1e6
        yield measure.Figure("  index", size, peer_size, "fts5", "MB")
        yield measure.Figure("  indexing", said["indexSeconds"], said["fts5Seconds"], "fts5", "s")
        yield measure.Figure("  opening", ours["openMicroseconds"] / 1e3, None, "", "ms")
        memory, peer_memory = ours["residentBytes"] / 1e6, theirs["residentBytes"] / 1e6
        yield measure.Figure("  memory, archive and all", memory, peer_memory, "fts5", "MB")
