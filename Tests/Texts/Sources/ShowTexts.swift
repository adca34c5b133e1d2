// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// Prints the texts that Longbox makes of recorded records and pages, for `Tests/Texts/compare.py`.
///
/// Each comic is a JSON object on a line. The last line has the seconds that parsing the pages took.
@main
enum ShowTexts {
  private struct Record: Decodable {
    let num: Int
    let alt: String
    let transcript: String
  }

  private struct WikiText: Decodable {
    let num: Int
    let wikitext: String
  }

  private struct Texts: Encodable {
    let num: Int
    let hasRecordTranscript: Bool
    let alt: String
    let transcript: String
    let lead: String
    /// The explanation as plain text with the marks of notes, a line for each block.
    let explanation: String
    /// The explanation as it is searched.
    let searched: String
    let linkedComics: [Int]
  }

  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else { return print("usage: show-texts RECORDS PAGES") }
    var pages: [Int: Text] = [:]
    try read(WikiText.self, from: arguments[2]) { pages[$0.num] = Text(string: $0.wikitext) }
    var parsed: [Int: WikiPage] = [:]
    let seconds = ContinuousClock().measure {
      for (number, page) in pages { parsed[number] = WikiPage(wikitext: page) }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try read(Record.self, from: arguments[1]) { record in
      guard let number = Comic.Number(record.num) else { return }
      let page = parsed[record.num]
      let texts = Self.texts(of: record, number, page)
      print(String(decoding: try encoder.encode(texts), as: UTF8.self))
    }
    print("{\"seconds\": \(seconds / .seconds(1))}")
  }

  private static func texts(of record: Record, _ number: Comic.Number, _ page: WikiPage?) -> Texts {
    let alt = ComicRules.alt(Text(string: record.alt), of: number)
    let own = ComicRules.transcript(
      Text(string: record.transcript),
      of: number,
      alt: alt,
      comparedWith: page?.transcript ?? .empty
    )
    let isTrusted = ComicRules.trustsTranscript(of: number)
    var linked: [Int] = []
    var words = ""
    var open: [WikiElement] = []
    for part in page.map({ Array($0.explanation.parts) }) ?? [] {
      switch part {
      case .open(let element):
        if case .comic(let number) = element { linked.append(number) }
        open.append(element)
        if isBlock(element) { words += "\n" }
      case .close: if let element = open.popLast(), isBlock(element) { words += "\n" }
      case .text(let text): words += text.description
      case .lineBreak, .rule: words += "\n"
      case .reference(let number): words += "[\(number)]"
      }
    }
    return Texts(
      num: record.num,
      hasRecordTranscript: isTrusted && !record.transcript.isEmpty,
      alt: alt.description,
      transcript: (isTrusted ? own : page?.transcript ?? own).description,
      lead: page?.lead.description ?? "",
      explanation: words,
      searched: page?.explanation.plainText.description ?? "",
      linkedComics: linked
    )
  }

  private static func isBlock(_ element: WikiElement) -> Bool {
    switch element {
    case .emphasis, .strong, .underlined, .struck, .small, .code, .lowered, .raised, .mark, .comic, .address,
      .anchor:
      false
    default: true
    }
  }

  private static func read<Line: Decodable>(
    _ type: Line.Type,
    from file: String,
    _ use: (Line) throws -> Void
  ) throws {
    for line in try Data(contentsOf: URL(filePath: file)).split(separator: UInt8(ascii: "\n")) {
      try use(JSONDecoder().decode(type, from: line))
    }
  }
}
