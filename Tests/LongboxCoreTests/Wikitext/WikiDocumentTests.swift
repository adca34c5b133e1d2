// Longbox
// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import LongboxCore

@Suite struct `An encoded document` {
  private static let page = """
    ==Explanation==
    A [[353: Python|snake]], a {{w|Bread|loaf}}<ref>note</ref>, ''em'' and {{cn}}.
    * item
    {|
    ! head
    |-
    |colspan=2| cell
    |}
    ----
    <pre>code</pre>
    ===More===
    """

  private static var document: WikiDocument { WikiPage(wikitext: Text(string: page)).explanation }

  @Test func `decodes to what was encoded`() throws {
    let document = Self.document
    let opened = try WikiDocument(document.bytes)
    #expect(opened == document)
    #expect(Array(opened.parts) == Array(document.parts))
    #expect(try WikiDocument(WikiDocument.empty.bytes).isEmpty)
  }

  @Test func `is rejected when any bit differs`() {
    let bytes = Self.document.bytes
    for offset in bytes.indices {
      var damaged = bytes
      damaged[offset] ^= 1 << UInt8(offset % 8)
      #expect(throws: WikiDocumentError.self) { try WikiDocument(damaged) }
    }
    for length in bytes.indices {
      #expect(throws: WikiDocumentError.self) { try WikiDocument(Array(bytes[..<length])) }
    }
  }

  @Test func `is rejected where it is foreign or too long`() {
    #expect(throws: WikiDocumentError.foreign) { try WikiDocument([]) }
    #expect(throws: WikiDocumentError.foreign) { try WikiDocument(Array("LBW\u{2}....".utf8)) }
    #expect(throws: WikiDocumentError.tooLong(limit: WikiDocument.sizeLimit)) {
      try WikiDocument(WikiDocument.magic + [UInt8](repeating: 0, count: WikiDocument.sizeLimit))
    }
  }

  @Test(
    arguments: [
      [0x00],  // closes what is not open
      [0x10],  // is not closed
      [0x01, 0x05, 0x61],  // text is cut off
      [0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],  // a length beyond all limits
      [0x05, 0x07, 0x00],  // a heading of level 7
      [0x0F, 0x00], [0x40, 0x00],  // no such code
      [0x08, 0xC0, 0x84, 0x3D, 0x00],  // comic 1,000,000
      [0x09, 0x05] + Array("a://b".utf8) + [0x00],  // not http
      [0x09, 0x0A] + Array("http://a b".utf8) + [0x00],  // a space in an address
      [0x07, 0x01, 0xE9, 0x07, 0x00],  // 1001 rows
    ] as [[UInt8]]
  )
  func `is rejected for malformed parts under a valid checksum`(parts: [UInt8]) {
    #expect(throws: WikiDocumentError.malformed) { try WikiDocument(WikiDocument(parts: parts).bytes) }
  }

  @Test func `is rejected where it is too deep`() throws {
    func nested(_ depth: Int) -> [UInt8] {
      WikiDocument(parts: Array(repeating: 0x10, count: depth) + Array(repeating: 0x00, count: depth)).bytes
    }
    #expect(throws: Never.self) { try WikiDocument(nested(WikiDocument.depthLimit)) }
    #expect(throws: WikiDocumentError.malformed) { try WikiDocument(nested(WikiDocument.depthLimit + 1)) }
  }

  /// A document that decodes can be walked to its end and closes all that it opens.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func `is well formed or rejected`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var parts = Array(Self.document.bytes.dropFirst(WikiDocument.headerLength))
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: parts.indices, using: &random)
      parts[place] = UInt8.random(in: 0...0x28, using: &random)
    }
    guard let document = try? WikiDocument(WikiDocument(parts: parts).bytes) else { return }
    var depth = 0
    for part in document.parts {
      if case .open = part { depth += 1 }
      if case .close = part { depth -= 1 }
      try #require(depth >= 0, "seed \(seed)")
    }
    #expect(depth == 0, "seed \(seed)")
  }
}
