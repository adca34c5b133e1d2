// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// The window of a terminal.
struct TerminalWindow: Equatable {
  /// The number of cells in a line.
  var columns = 80
  /// How many lines there are.
  var rows = 24
  /// The size of a cell in pixels.
  var cellWidth = 8
  var cellHeight = 16

  /// Asks the system, unless the variables `COLUMNS` and `LINES` are set.
  /// - Parameters:
  ///   - file: an open file that may be a terminal.
  ///   - environment: the environment variables.
  init(of file: Int32, environment: [String: String]) {
    var size = winsize()
    if ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 {
      (columns, rows) = (Int(size.ws_col), Int(size.ws_row))
      if size.ws_xpixel >= size.ws_col, size.ws_ypixel >= size.ws_row {
        (cellWidth, cellHeight) = (Int(size.ws_xpixel) / columns, Int(size.ws_ypixel) / rows)
      }
    }
    columns = Self.number(environment["COLUMNS"]) ?? columns
    rows = Self.number(environment["LINES"]) ?? rows
  }

  private static func number(_ text: String?) -> Int? {
    text.flatMap { Int($0) }.flatMap { (1...1000).contains($0) ? $0 : nil }
  }
}
