// Longbox
// SPDX-License-Identifier: MIT

import Testing
import TestSupport

@testable import LongboxCore

/// Each encoded form that is stored or sent.
enum Encoded: String, CaseIterable {
  case replica, request, reply, rejection, undo

  func sample(seed: UInt64) throws -> [UInt8] {
    let library = try LibrarySamples.library(seed: seed)
    switch self {
    case .replica:
      var replica = Replica(library: library, device: seed)
      var server = Library()
      let request = replica.request(nonce: 1)
      _ = try replica.receive(server.answer(request, epoch: 8, at: LibrarySamples.start), at: seed)
      return replica.encoded()
    case .request:
      return SyncRequest(nonce: seed, epoch: 2, since: 300, changes: library.changes(since: nil)).encoded()
    case .reply:
      let merged = SyncReply.Merged(
        epoch: 1,
        sequence: 2,
        digest: library.digest,
        changes: library.changes(since: nil)
      )
      return SyncReply(nonce: seed, time: LibrarySamples.start, outcome: .merged(merged)).encoded()
    case .rejection:
      return SyncReply(nonce: seed, time: seed, outcome: .tooFarAhead(limit: seed << 20)).encoded()
    case .undo:
      return Undo(library.entries.map { Undo.Item(key: $0.key, before: $0.value, after: "x") }).encoded()
    }
  }

  /// Decodes the bytes and encodes the result.
  func again(_ bytes: [UInt8]) throws(LibraryError) -> [UInt8] {
    switch self {
    case .replica: try Replica(decoding: bytes).encoded()
    case .request: try SyncRequest(decoding: bytes).encoded()
    case .reply, .rejection: try SyncReply(decoding: bytes).encoded()
    case .undo: try Undo(decoding: bytes).encoded()
    }
  }
}

struct LibraryCodingTests {
  @Test(arguments: 0..<200 as Range<UInt64>)
  func `decodes to what was encoded`(seed: UInt64) throws {
    let library = try LibrarySamples.library(seed: seed, count: 0...40)
    #expect(try Library(decoding: library.encoded()) == library, "seed \(seed)")
    for kind in Encoded.allCases {
      let bytes = try kind.sample(seed: seed)
      #expect(try kind.again(bytes) == bytes, "\(kind), seed \(seed)")
    }
  }

  @Test func `keeps everything that a replica knows`() throws {
    var replica = Replica(device: UInt64.max)
    var server = Library()
    try replica.edit(at: LibrarySamples.start) { try $0.setPlace(.first, at: $1) }
    let request = replica.request(nonce: 1)
    #expect(try SyncRequest(decoding: request.encoded()) == request)
    let reply = try server.answer(request, epoch: 77, at: LibrarySamples.start - LibrarySamples.day)
    #expect(try SyncReply(decoding: reply.encoded()) == reply)
    _ = try replica.receive(reply, at: LibrarySamples.start)
    #expect(replica.clock.offset == -Int64(LibrarySamples.day))
    #expect(try Replica(decoding: replica.encoded()) == replica)
    let again = replica.request(nonce: 2)
    let merged = try server.answer(again, epoch: 77, at: LibrarySamples.start)
    #expect(try SyncReply(decoding: merged.encoded()) == merged)
    _ = try replica.receive(merged, at: LibrarySamples.start)
    #expect(replica.sync.epoch == 77 && replica.sync.shared == replica.library.latest)
    #expect(try Replica(decoding: replica.encoded()) == replica)
  }

  @Test func `matches the documented format`() throws {
    var library = Library()
    try library.set(LibraryKey("ab"), to: "x", timestamp: Timestamp(time: 300, counter: 2, device: 0x0102))
    try library.set(LibraryKey("ac"), to: "y", timestamp: Timestamp(time: 301, counter: 0, device: 0x0102))
    try library.set(LibraryKey("ac"), to: nil, timestamp: Timestamp(time: 302, counter: 0, device: 0x0102))
    let replica = Replica(library: library, device: 0x0304)
    // The device, and the state before the first sync.
    let state: [UInt8] = [4, 3] + Array(repeating: 0, count: 28)
    let entries: [UInt8] = [
      3, 1, 2, 1, 0, 0, 0, 0, 0, 0, 2, 0, 2, 0x61, 0x62, 2, 0x78, 0xAC, 2, 2, 0, 1, 1, 1, 0x63, 0, 0xAE, 2, 0,
      0, 3,
    ]
    let length = UInt8(state.count + entries.count + 20)
    var expected: [UInt8] = [0x89, 0x4C, 0x42, 0x4C, 1, 2, 0, 0, length, 0, 0, 0] + state + entries
    let sum = XXH64.hash(expected.span.bytes)
    for shift in stride(from: 0, to: 64, by: 8) {
      expected.append(UInt8(truncatingIfNeeded: sum >> UInt64(shift)))
    }
    #expect(replica.encoded() == expected)
  }
}

struct HostileLibraryTests {
  @Test(arguments: Encoded.allCases)
  func `are rejected when truncated anywhere`(kind: Encoded) throws {
    let bytes = try kind.sample(seed: 3)
    for length in bytes.indices {
      #expect(throws: LibraryError.self, "\(length) bytes") { try kind.again(Array(bytes[..<length])) }
    }
    #expect(throws: LibraryError.wrongLength(expected: bytes.count, found: bytes.count + 1)) {
      try kind.again(bytes + [0])
    }
  }

  @Test(arguments: Encoded.allCases)
  func `are rejected when any bit differs`(kind: Encoded) throws {
    let bytes = try kind.sample(seed: 3)
    for index in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[index] ^= 1 << UInt8(bit)
        #expect(throws: LibraryError.self, "byte \(index), bit \(bit)") { try kind.again(damaged) }
      }
    }
  }

  @Test(arguments: Encoded.allCases)
  func `are rejected as another kind`(kind: Encoded) throws {
    for other in Encoded.allCases where other != kind {
      if Set([kind, other]) == [.reply, .rejection] { continue }
      #expect(throws: LibraryError.unexpectedKind(Int(try other.sample(seed: 1)[5]))) {
        try kind.again(try other.sample(seed: 1))
      }
    }
  }

  @Test func `are rejected as foreign or as an unsupported version`() throws {
    #expect(throws: LibraryError.foreign) { try Library(decoding: []) }
    #expect(throws: LibraryError.foreign) {
      try Library(decoding: Array("<!doctype html><title>Sign in to the Wi-Fi</title>".utf8))
    }
    var newer = Library().encoded()
    newer[4] = 2
    #expect(throws: LibraryError.unsupportedVersion(2)) { try Library(decoding: newer) }
    #expect(throws: LibraryError.full) {
      try Library(decoding: Array(repeating: 0, count: LibraryLimits.encodedLength + 1))
    }
  }

  @Test(arguments: 0..<2000 as Range<UInt64>)
  func `are rejected when random`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in
      UInt8.random(in: 0...255, using: &random)
    }
    for kind in Encoded.allCases {
      #expect(throws: LibraryError.self, "seed \(seed)") { try kind.again(bytes) }
    }
  }

  /// A forged length and checksum are valid; what decodes must have no second encoding.
  @Test(arguments: 0..<3000 as Range<UInt64>)
  func `with a forged checksum are rejected, or decode and encode to the same bytes`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let kind = Encoded.allCases[Int(seed) % Encoded.allCases.count]
    var body = Array(try kind.sample(seed: seed)[12...].dropLast(8))
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0...body.count, using: &random)
      let byte = [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)].randomElement(
        using: &random
      )
      switch Int.random(in: 0...2, using: &random) {
      case 0 where place < body.count: body[place] = byte ?? 0
      case 1 where place < body.count: body.remove(at: place)
      default: body.insert(byte ?? 0, at: place)
      }
    }
    let bytes = Envelope.seal(body, as: try #require(Envelope.Kind(rawValue: kind.sample(seed: seed)[5])))
    do throws(LibraryError) {
      let again = try kind.again(bytes)
      #expect(again == bytes, "\(kind), seed \(seed)")
    } catch {
      #expect(![.foreign, .damaged].contains(error), "\(kind), seed \(seed)")
    }
  }

  @Test func `are rejected where they declare more than they hold`() {
    let huge: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0x07]
    let state = [UInt8](repeating: 0, count: 30)
    for entries in [[0] + huge, [0, 0] + huge, [0, 0, 0xA0, 0x8D, 0x06]] {
      let bytes = Envelope.seal(state + entries, as: .replica)
      #expect(throws: LibraryError.malformed) { try Replica(decoding: bytes) }
    }
  }

  @Test(
    arguments: [
      ([0x80, 0x00], "a number in more bytes than it needs"),
      ([0x80], "a number without an end"),
      ([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02], "a number beyond 64 bits"),
      ([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01], "a number of eleven bytes"),
    ] as [([UInt8], String)]
  )
  func `are rejected for a malformed number`(bytes: [UInt8], what: String) {
    #expect(throws: LibraryError.malformed, "\(what)") {
      var reader = ByteReader(bytes[...])
      _ = try reader.varint()
    }
  }

  @Test(arguments: [0, 1, 127, 128, 16_383, 16_384, 1 << 62, UInt64.max - 1, UInt64.max])
  func `may hold a number of any size`(number: UInt64) throws {
    var bytes: [UInt8] = []
    bytes.appendVarint(number)
    var reader = ByteReader(bytes[...])
    #expect(try reader.varint() == number)
    #expect(reader.isAtEnd)
  }
}
