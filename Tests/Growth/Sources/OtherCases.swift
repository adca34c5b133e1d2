// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

private let words = [
  "lighthouse", "keeper", "ship", "tonight", "harbour", "captain", "dawn", "spoon", "pianist", "code", "spy",
  "gravity",
  "import", "table", "carpenter", "sandwich", "walker", "road", "energy", "shirt",
]

/// A text that differs from the others by its last word.
private func text(_ content: String, _ number: Int, _ ending: String = "") -> Text {
  Text(string: "\(content) number\(number)\(ending)")
}

/// Twelve words, in an order that depends on a number.
private func sentence(_ index: Int) -> Text {
  let chosen = (0..<12).map { step in words[(index * 7 + step * step) % words.count] }
  return text(chosen.joined(separator: " "), index)
}

private func search(comics count: Int) throws -> Search {
  guard let date = CalendarDate(year: 2010, month: 5, day: 20) else { preconditionFailure("a valid date") }
  let comics = (1...count).compactMap { Comic.Number($0) }.map { number in
    Comic(
      number: number,
      date: date,
      title: Text(string: words[number.value % words.count]),
      alt: sentence(number.value),
      transcript: sentence(number.value + 1)
    )
  }
  var writer = SegmentWriter()
  for comic in comics { try writer.append(comic) }
  writer.searchIndex = SearchIndexWriter.index(of: comics)
  return try Search(archive: Archive(Segment(writer.finish(.init(revision: 1)))))
}

private let queries = [
  "ship", "\"spoon pianist\"", "lighthuose", "ship -code OR gravity", "grav", "2010-05", "is:unread road",
]

private let queryPieces: KeyValuePairs = [
  "words": "ship ", "unknown words": "lighthuose ", "quotation marks": "\"", "minus signs": "-",
  "alternatives": "a OR ",
  "letters": "a", "filters": "is:unread ", "ranges": "1-12 ", "phrases": "\"one more ship tonight\" ",
]

/// Queries in many comics.
let searchCases = queries.map { query in
  Workload(name: "the search for '\(query)' in many comics") { size in
    let search = try search(comics: 800 * size)
    return { _ = search.results(for: Text(string: query)) }
  }
}

let longQueryCases = queryPieces.map { name, piece in
  Workload(name: "the search for many \(name)") { size in
    let search = try search(comics: 100)
    let query = Text(string: String(repeating: piece, count: 40 * size))
    return { _ = search.results(for: query) }
  }
}

private let guesses: KeyValuePairs = [
  "an exact title": "ship number7", "a misspelt title": "shpi numbre7",
  "another text": "nothing like any of them",
]

private func titles(_ count: Int, ending: String = "") -> [Text] {
  (0..<count).map { number in text(words[number % words.count], number, ending) }
}

/// Guesses of the titles of an album with many tracks.
let guessCases = guesses.map { name, guess in
  Workload(name: "matching \(name) with many titles") { size in
    let matcher = TitleMatcher(titles: titles(100 * size))
    return { _ = matcher.match(Text(string: guess)) }
  }
}

let titleCases = [
  Workload(name: "reading many titles") { size in
    let titles = titles(100 * size, ending: " (Live) [2014]")
    return { _ = TitleMatcher(titles: titles) }
  },
  Workload(name: "reading a long title") { size in
    let title = Text(string: String(repeating: "one & 2 ", count: 10 * size))
    return { _ = TitleMatcher(titles: [title]) }
  },
  Workload(name: "matching a long guess") { size in
    let matcher = TitleMatcher(titles: titles(20))
    let guess = Text(string: String(repeating: "one ", count: 10 * size))
    return { _ = matcher.match(guess) }
  },
]

/// What is repeated in a file, with its start and end.
private let files: KeyValuePairs<String, (start: String, piece: String, end: String)> = [
  "many numbers": ("[", "353, ", "1]"),
  "many digits": ("", "7", ""),
  "many open brackets": ("", "[", ""),
  "many open objects": ("", "{\"a\":", ""),
  "a long text in JSON": ("[\"", "\\u00e9", "\"]"),
  "many lines": ("num,title\n", "405,Journal\n", ""),
  "many quotation marks": ("", "\"", ""),
  "many notes": ("{\"favorites\": [", "{\"num\": 353, \"note\": \"antigravity\"}, ", "{\"num\": 1}]}"),
  "many ranges": ("{\"read\": [", "{\"from\": 1, \"to\": 403}, ", "{\"from\": 7, \"to\": 7}]}"),
]

private func importing(_ file: String) -> () -> Void {
  let bytes = Array(file.utf8)
  return {
    var replica = Replica(device: 1)
    _ = try? ImportReader.document(in: bytes).merge(
      into: &replica,
      latest: Comic.Number(3_000),
      at: 1_800_000_000_000
    )
  }
}

/// Files with many lines or entries, and those that an attacker would upload.
let importCases =
  files.map { name, file in
    Workload(name: "importing \(name)") { size in
      importing(file.start + String(repeating: file.piece, count: 500 * size) + file.end)
    }
  } + [
    Workload(name: "importing different comics") { size in
      importing("[" + (405...(405 + 500 * size)).map(String.init).joined(separator: ",") + "]")
    }
  ]
