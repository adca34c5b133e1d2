// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import TestSupport
import Testing

@testable import LongboxPages

struct EveryPageTests {
  /// Comics with every oddity at once.
  private static func archive() throws -> Archive {
    try Fixtures.archive(
      upTo: 410,
      changing: [
        7: { comic in comic.picture = nil },
        8: { comic in comic.transcript = "[[A box.]]\nMan: \"Hm.\"\n<<BOOM>>" },
        9: { comic in
          comic.pictureAddress = .empty
          comic.picture = nil
          comic.isInteractive = true
        },
        403: { comic in comic.title = "<City>-Style \"Pizza\" & more" },
        405: { comic in comic.link = "https://example.org/?a=1&b=2" },
        410: { comic in comic.picture = PictureFacts(width: 740, height: 200, byteCount: 1, format: .gif) },
      ]
    )
  }

  @Test func `every page is well formed, and every internal link leads to a page`() throws {
    let archive = try Self.archive()
    let context = PageContext(
      progress: .init(texts: 3, pictures: 2, total: 409),
      assetVersion: "a1",
      version: "0.1.0"
    )
    func load(_ need: Need) -> Loaded.Value? {
      switch need {
      case .explanationLead(let comic) where comic.value <= 12:
        .lead(ShownExplanation(of: comic, .absent, isSample: false).beginning)
      case .explanation(let comic): .explanation(HTML(rendered: Array("<p>Whole \(comic.value).</p>".utf8)))
      default: nil
      }
    }
    var waiting: Set<String> = ["/", "/404/", "/go?number=abc", "/no-such-page", "/411/"]
    var seen: Set<String> = []
    while let address = waiting.popFirst() {
      seen.insert(address)
      let parts = address.split(separator: "?", maxSplits: 1).map { Text(string: String($0)) }
      let request = Request(path: parts[0], query: parts.count > 1 ? parts[1] : .empty, random: 41)
      let response = respond(to: request, archive: archive, context: context, load: load)
      let expected: Set<Int> =
        ["/404/", "/411/", "/no-such-page"].contains(address)
        ? [404] : address.hasPrefix("/go") ? [400] : [200, 301, 303]
      #expect(expected.contains(response.status), "\(address) responded with \(response.status)")
      guard response.location.isEmpty else { continue }
      let markup = Markup(response.text)
      #expect(markup.faults == [], "\(address)")
      #expect(markup.ids.contains("main"))
      for next in markup.addresses where next.hasPrefix("/") {
        let next = next.replacing("&amp;", with: "&")
        // Answered only by the server: files, APIs, albums, feeds, and pairing with another device.
        let files = ["/albums", "/api/", "/assets/", "/feeds", "/comics/", "/settings/", "/manifest."]
        let isFile = files.contains { next.hasPrefix($0) }
        if !isFile && !seen.contains(next) { waiting.insert(next) }
      }
    }
    #expect(seen.count > 2 * 409, "each comic and its explanation")
  }

  @Test(arguments: [1, 2, 3, 20_261_121] as [UInt64])
  func `every request has a well-formed response`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let archive = try Fixtures.archive(upTo: 12)
    let names = [
      "/", "404", "12", "go", "comics", "on-this-day", "random", "about", "-", "%", "?", "..", "é", "<b>",
      "\u{0}",
    ]
    for _ in 0..<400 {
      let path = Self.bytes(of: names, using: &random)
      let query = Self.bytes(
        of: [
          "number=", "view=list", "view=map", "view=", "on=01-0", "on=", "unread=1", "year=2006", "year=",
          "&", "=", "%41", "%", "+", "9999999999",
        ],
        using: &random
      )
      let request = Request(path: Text(path), query: Text(query), random: random.next())
      let response = respond(to: request, archive: archive)
      let asked = "seed \(seed), path \(path), query \(query)"
      #expect([200, 301, 303, 400, 404].contains(response.status), "\(asked)")
      #expect(response.body.isEmpty != response.location.isEmpty, "\(asked)")
      if response.location.isEmpty {
        #expect(Markup(response.text).faults == [], "\(asked)")
      } else {
        #expect(response.location.bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(asked)")
      }
    }
  }

  /// A random mix of known words and bytes that may be invalid UTF-8.
  private static func bytes(of words: [String], using random: inout SeededGenerator) -> [UInt8] {
    var bytes: [UInt8] = [UInt8(ascii: "/")]
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      if Bool.random(using: &random), let word = words.randomElement(using: &random) {
        bytes += Array(word.utf8)
      } else {
        bytes.append(UInt8.random(in: 0...255, using: &random))
      }
    }
    return bytes
  }
}
