// Longbox
// SPDX-License-Identifier: MIT

/// The runs of apostrophes in a line, interpreted as emphasis, strong emphasis and apostrophes by MediaWiki's
/// rule (`Parser::doQuotes`).
struct WikiQuotes {
  struct Run {
    let start: Int
    let length: Int
    /// The number of apostrophes that are text.
    var apostrophes: Int
    var isEmphasis: Bool
    var isStrong: Bool
  }

  private var runs: [Run] = []
  private var next = 0

  init() {}

  /// Finds the runs of a line.
  init(_ source: [UInt8], _ line: Range<Int>) {
    var index = line.lowerBound
    while index < line.upperBound {
      if source[index] == WikiMarker.literal {
        index += 2
        continue
      }
      var end = index
      while end < line.upperBound, source[end] == UInt8(ascii: "'") { end += 1 }
      if end - index >= 2 { runs.append(Self.run(at: index, length: end - index)) }
      index = max(end, index + 1)
    }
    balance(source, line)
  }

  /// The run that starts at an index, or nil; a single apostrophe isn't a run.
  mutating func take(at index: Int) -> Run? {
    while next < runs.count, runs[next].start < index { next += 1 }
    guard next < runs.count, runs[next].start == index else { return nil }
    next += 1
    return runs[next - 1]
  }

  /// Two are emphasis, three strong, five both; with four or more than five the first ones are text.
  ///
  /// At most one of those is kept, so that the text never contains two in sequence.
  private static func run(at start: Int, length: Int) -> Run {
    Run(
      start: start,
      length: length,
      apostrophes: length == 4 || length > 5 ? 1 : 0,
      isEmphasis: length == 2 || length >= 5,
      isStrong: length >= 3
    )
  }

  /// If both kinds are unbalanced, treats one `'''` as an apostrophe and emphasis, preferably after a single
  /// letter (`l'''amour''`).
  private mutating func balance(_ source: [UInt8], _ line: Range<Int>) {
    var emphases = 0
    var strongs = 0
    for run in runs {
      if run.isEmphasis { emphases += 1 }
      if run.isStrong { strongs += 1 }
    }
    guard emphases % 2 == 1, strongs % 2 == 1 else { return }
    var candidates: [Int?] = [nil, nil, nil]
    for (index, run) in runs.enumerated() where run.isStrong && !run.isEmphasis {
      let before = run.start > line.lowerBound ? source[run.start - 1] : 0x20
      let beforeThat = run.start - 1 > line.lowerBound ? source[run.start - 2] : 0x20
      let rank = before == 0x20 ? 2 : beforeThat == 0x20 ? 0 : 1
      if candidates[rank] == nil { candidates[rank] = index }
    }
    guard let index = candidates[0] ?? candidates[1] ?? candidates[2] else { return }
    runs[index].apostrophes += runs[index].apostrophes == 0 ? 1 : 0
    runs[index].isStrong = false
    runs[index].isEmphasis = true
  }
}
