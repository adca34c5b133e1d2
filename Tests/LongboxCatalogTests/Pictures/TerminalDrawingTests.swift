// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxCore
import Testing

@testable import LongboxCatalog

@Suite(.timeLimit(.minutes(5)))
struct `Drawing pictures for terminals` {
  private let inspector = CatalogBench.inspector
  private let picture = HandmadePicture.png(60, 40) { x, y in [UInt8(x * 4), UInt8(y * 6), 128] }

  private static let escape = UInt8(0x1B)

  @Test(arguments: [
    (TerminalArea.Drawing.kitty, "\u{1B}_G"), (.iterm2, "\u{1B}]1337;"), (.sixel, "\u{1B}P"),
    (.symbols, "\u{1B}["),
  ])
  func `begins as each kind of graphics does`(drawing: TerminalArea.Drawing, beginning: String) async throws {
    let area = TerminalArea(columns: 40, rows: 20, drawing: drawing)
    let bytes = try await inspector.draw(picture, for: area)
    #expect(bytes.starts(with: beginning.utf8))
  }

  @Test func `goes by the terminal's variables`() async throws {
    let kitty = PictureInspector(environment: ["TERM": "xterm-kitty"])
    #expect(
      try await kitty.draw(picture, for: TerminalArea(columns: 40, rows: 20)).starts(with: "\u{1B}_G".utf8)
    )
    let tmux = PictureInspector(
      environment: ["TERM": "tmux-256color", "TMUX": "/tmp/x", "KITTY_PID": "1"]
    )
    #expect(
      try await tmux.draw(picture, for: TerminalArea(columns: 40, rows: 20)).starts(with: "\u{1B}[".utf8)
    )
  }

  @Test func `without colours has none`() async throws {
    let area = TerminalArea(columns: 40, rows: 20, drawing: .symbols, colours: .none)
    let text = String(decoding: try await inspector.draw(picture, for: area), as: UTF8.self)
    #expect(text.firstMatch(of: /\u{1B}\[[0-9;]*[34][0-9]/) == nil)
  }

  @Test(arguments: [(1, 1), (3, 2), (80, 24), (1000, 4)])
  func `stays in its area`(columns: Int, rows: Int) async throws {
    let area = TerminalArea(columns: columns, rows: rows, drawing: .symbols, colours: .none)
    let text = String(decoding: try await inspector.draw(picture, for: area), as: UTF8.self)
    let lines = text.replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: "").split(separator: "\n")
    #expect(lines.count <= rows)
    #expect(lines.allSatisfy { $0.count <= columns })
  }

  @Test func `brings nonsense within the limits`() async throws {
    let area = TerminalArea(columns: -5, rows: 100_000, cellWidth: 0, cellHeight: 9999, drawing: .symbols)
    #expect(try await !inspector.draw(picture, for: area).isEmpty)
  }

  @Test func `refuses what is no whole picture`() async throws {
    let area = TerminalArea(columns: 40, rows: 20)
    await #expect(throws: PictureError.foreign) { try await inspector.draw(Array("<html>".utf8), for: area) }
    let cut = Array(picture.prefix(picture.count / 2))
    await #expect(throws: PictureError.self) { try await inspector.draw(cut, for: area) }
    await #expect(throws: PictureError.self) {
      try await inspector.draw(HandmadePicture.bomb(60_000, 60_000), for: area)
    }
    // The process lives, and draws the next one.
    #expect(try await !inspector.draw(picture, for: area).isEmpty)
  }
}
