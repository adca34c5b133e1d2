// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxCore
import Testing

@testable import LongboxCatalog

@Suite("Drawing pictures for terminals", .timeLimit(.minutes(5)))
struct TerminalDrawingTests {
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

  @Test(arguments: [
    "\u{1B}[38;2;255;0;0;48;5;1m▀ ▄\u{1B}[0m\n⠁⠃é", "\u{1B}[1;37}\u{1B}[2;43}▃", "█\u{1B}[12b",
    "\u{1B}P0;1;0q\"1;1;60;40#0;2;0;0;0!60~-\u{1B}\\",
    "\u{1B}_Ga=T,f=32,s=60,v=40,c=8,r=3,m=1\u{1B}\\\u{1B}_Gm=1;AAA/+a==\u{1B}\\\u{1B}_Gm=0\u{1B}\\\n",
    "\u{1B}]1337;File=inline=1;width=8;height=3;preserveAspectRatio=0:AAA=\u{7}",
  ])
  func `may hold characters, colours and pictures`(drawing: String) {
    #expect(TerminalDrawing.isSafe(Array(drawing.utf8)))
  }

  @Test(arguments: [
    "\u{1B}]0;title\u{7}", "\u{1B}]52;c;AAAA\u{7}", "\u{1B}]8;;http://example.org\u{7}", "\u{1B}c", "\u{1B}",
    "\u{1B}[6n", "\u{1B}[2J", "\u{1B}[?25l", "\u{1B}[31", "\u{1B}[99999b", "\u{1B}[>1m", "\u{9B}31m", "a\rb",
    "\u{1B}[\(String(repeating: "1;", count: 60))m", "\t", "\u{8}", "\u{7F}", "\u{202E}x", "\u{2028}",
    "\u{1B}P$qm\u{1B}\\", "\u{1B}P1|17/6C73\u{1B}\\", "\u{1B}P0;1;0q!60~", "\u{1B}P0q\u{1B}[6n\u{1B}\\",
    "\u{1B}_Ga=T,t=f;L2V0Yy9wYXNzd2Q=\u{1B}\\", "\u{1B}_Gi=31,a=q,s=1,v=1;AAAA\u{1B}\\", "\u{1B}_Gm=1;AAAA",
    "\u{1B}_Gm=1;AA\u{1B}[6n", "\u{1B}_Xm=1\u{1B}\\", "\u{1B}]1337;File=name=eA==;inline=0:AAAA\u{7}",
    "\u{1B}]1337;File=inline=1;inline=0:AAAA\u{7}", "\u{1B}]1337;File=inline=10:AAAA\u{7}",
    "\u{1B}]1337;SetMark\u{7}", "\u{1B}]1337;File=inline=1:AAAA",
  ])
  func `may hold nothing else that a terminal obeys`(drawing: String) {
    for text in [drawing, "▀\u{1B}[0m" + drawing] { #expect(!TerminalDrawing.isSafe(Array(text.utf8))) }
  }

  @Test func `may not hold broken UTF-8`() {
    #expect(!TerminalDrawing.isSafe([0xE2, 0x96]))
    #expect(!TerminalDrawing.isSafe([0x9B, 0x36, 0x6E]))
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
