// Longbox
// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import LongboxCore

struct QuizStateTests {
  private let album = QuizSamples.album
  private let artist = QuizSamples.artist

  private func states() throws -> [[UInt8]] {
    var naming = try NamingQuiz(album, at: 5)
    _ = naming.answer("harbour", at: 9)
    var order = try OrderQuiz(album, seed: 3, at: 5)
    order.judge(at: 8)
    var next = try ChoiceQuiz(next: album, seed: 3, at: 5)
    next.choose(1, at: 9)
    let albums = try ChoiceQuiz(albumsOf: artist, seed: 3, at: 5)
    return [naming.encoded(), order.encoded(), next.encoded(), albums.encoded()]
  }

  private func open(_ bytes: [UInt8], _ kind: Int) throws(QuizError) -> [UInt8] {
    switch kind {
    case 0: try NamingQuiz(decoding: bytes, album).encoded()
    case 1: try OrderQuiz(decoding: bytes, album).encoded()
    case 2: try ChoiceQuiz(decoding: bytes, next: album).encoded()
    default: try ChoiceQuiz(decoding: bytes, albumsOf: artist).encoded()
    }
  }

  @Test func `is rejected when truncated, padded, or damaged at any byte`() throws {
    for (kind, state) in try states().enumerated() {
      #expect(try open(state, kind) == state)
      for place in state.indices {
        var damaged = state
        damaged[place] ^= 0x10
        #expect(throws: QuizError.self) { try open(damaged, kind) }
        #expect(throws: QuizError.self) { try open(Array(state[..<place]), kind) }
      }
      #expect(throws: QuizError.damaged) { try open(state + [0], kind) }
    }
  }

  @Test func `is rejected for another album, kind or version`() throws {
    let states = try states()
    #expect(throws: QuizError.foreign) { try open([], 0) }
    #expect(throws: QuizError.foreign) { try open(Array("hello, world".utf8), 0) }
    #expect(throws: QuizError.unexpectedKind(2)) { try open(states[1], 0) }
    let other = QuizAlbum(id: "7", name: "Cardboard", titles: Array(QuizSamples.titles.dropLast()))
    #expect(throws: QuizError.otherTracks) { try NamingQuiz(decoding: states[0], other) }
    var newer = states[0]
    newer[2] = 9
    #expect(throws: QuizError.unsupportedVersion(9)) { try open(newer, 0) }
    #expect(throws: QuizError.damaged) { try open(states[0] + Array(repeating: 0, count: 5000), 0) }
  }

  /// Random bodies with a valid checksum: each decodes and encodes to the same bytes, or is rejected.
  @Test func `is decoded or rejected, whatever it holds`() throws {
    var random = SeededGenerator(seed: 11)
    var read = 0
    for (kind, state) in try states().enumerated() {
      let digest = kind == 3 ? artist.digest : album.digest
      for round in 0..<100 {
        var body = Array(state[12..<(state.count - 4)])
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          body[Int.random(in: body.indices, using: &random)] = UInt8.random(in: 0...3, using: &random)
        }
        if round % 10 == 0 { body = Array(body.dropLast()) }
        let quizKind = try #require(QuizKind(rawValue: UInt8(kind + 1)))
        let forged = QuizCoding.seal(body, quizKind, digest: digest)
        guard let again = try? open(forged, kind) else { continue }
        read += 1
        #expect(again == forged, "seed 11, kind \(kind), round \(round)")
      }
    }
    #expect(read > 10)
  }
}
