// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxWeb
import Testing

@testable import LongboxServer

@Suite struct `Compacting our own sources` {
  @Test(arguments: [
    ("", ""), ("let a = 1", "let a = 1\n"), ("  a()\n\n    b()\n", "a()\nb()\n"),
    ("// What it is\na() // why\n  // and\nb()", "a() // why\nb()\n"),
    ("/** One line. */\na()", "a()\n"), ("/**\n * Several\n * a()\n */\nb()", "b()\n"),
    ("/* In CSS,\n   of two lines. */\n.a { color: red; }", ".a { color: red; }\n"),
    (".a { /* why */ color: red; }", ".a { /* why */ color: red; }\n"),
    ("/* one */ a()", "/* one */ a()\n"), ("const pattern = /\\/\\//", "const pattern = /\\/\\//\n"),
    ("fetch(\"https://xkcd.com\")", "fetch(\"https://xkcd.com\")\n"),
  ])
  func `leaves out what only their readers need`(source: String, compacted: String) {
    #expect(String(decoding: SourceCompaction.compact(source.utf8), as: UTF8.self) == compacted)
  }

  /// What it relies on in our files: else it would cut something out.
  @Test func `leaves no comment open in any of our files, and no text begins like one`() throws {
    let folder = try #require(WebAssets.folder)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter(
      SourceCompaction.applies
    )
    #expect(names.count > 8)
    for name in names {
      let source = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      let lines = String(decoding: SourceCompaction.compact(source.utf8), as: UTF8.self).split(
        separator: "\n"
      )
      let last = try #require(source.split(separator: "\n").last)
      #expect(lines.last == last.drop { $0 == " " }, "\(name) is cut short")
      #expect(!lines.contains { $0.hasPrefix("//") || $0.hasPrefix("* ") || $0.hasPrefix("*/") }, "\(name)")
    }
  }
}
