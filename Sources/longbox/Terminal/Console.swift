// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxReaders

/// Writes to standard output and standard error.
///
/// Escape codes go only to terminals, never into a pipe or a file. Text passes ``SafeText``, except in `send` and drawings.
struct Console: Sendable {
  enum Style: String {
    case plain = ""
    case bold = "\u{1B}[1m"
    case faint = "\u{1B}[2m"
  }

  /// Whether standard output is a terminal.
  let isTerminal: Bool
  /// Whether text may have styles and colours (https://no-color.org).
  let hasStyles: Bool
  let environment: [String: String]

  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.environment = environment
    isTerminal = isatty(STDOUT_FILENO) == 1
    hasStyles = isTerminal && Self.allowsStyles(environment)
  }

  /// Whether a terminal may be sent styles: `NO_COLOR` is unset or empty, and it knows escape codes.
  static func allowsStyles(_ environment: [String: String]) -> Bool {
    (environment["NO_COLOR"] ?? "").isEmpty && Self.knowsEscapeCodes(environment)
  }

  static func knowsEscapeCodes(_ environment: [String: String]) -> Bool {
    !["", "dumb"].contains(environment["TERM"] ?? "")
  }

  var window: TerminalWindow { TerminalWindow(of: STDOUT_FILENO, environment: environment) }

  /// Writes one line; line breaks inside it become spaces, so that a title can't forge a line.
  ///
  /// On a terminal it is broken to fit.
  func write(_ line: String = "", _ style: Style = .plain, indent: String = "") {
    let safe = SafeText.line(line)
    let lines = isTerminal ? TextWrapping.wrapped(safe, to: window.columns, indent: indent) : [indent + safe]
    for line in lines {
      let isStyled = hasStyles && style != .plain && !line.isEmpty
      Self.send((isStyled ? style.rawValue + line + "\u{1B}[0m" : line) + "\n", to: STDOUT_FILENO)
    }
  }

  /// Writes an entry of a list.
  ///
  /// On a terminal, what doesn't fit into its line stands further right, so that a long title doesn't look like two entries.
  func writeEntry(_ line: String, indent: String = "") {
    guard isTerminal else { return write(line, indent: indent) }
    let further = "    "
    let room = max(window.columns - further.count, 1)
    for (index, part) in TextWrapping.wrapped(SafeText.line(line), to: room, indent: indent).enumerated() {
      write(index == 0 ? part : further + part)
    }
  }

  /// Writes a text of several lines, such as a transcript, each with the indent.
  func writeText(_ text: String, _ style: Style = .plain, indent: String = "") {
    for line in SafeText.lines(text).split(separator: "\n", omittingEmptySubsequences: false) {
      write(String(line), style, indent: indent)
    }
  }

  /// Writes lines without breaking them to fit.
  /// - Throws: as ``writeRaw(_:)``.
  func writeLines(_ lines: String...) throws { try writeLines(lines) }

  private func writeLines(_ lines: [String]) throws {
    try writeRaw(lines.map { SafeText.line($0) + "\n" }.joined())
  }

  /// Writes a document as it is, without breaking lines.
  /// - Throws: `ReaderError.disk` if standard output can't take it all.
  func writeRaw(_ text: String) throws {
    try Self.sendAll(Array(SafeText.lines(text).utf8), to: STDOUT_FILENO)
  }

  /// Writes a value as indented JSON.
  ///
  /// Control characters are escaped in it, and none of its lines is broken.
  /// - Throws: as ``writeRaw(_:)``.
  func writeJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder.stable
    encoder.outputFormatting.insert(.prettyPrinted)
    encoder.dateEncodingStrategy = .iso8601
    let json = SafeText.escapedJSON(String(decoding: try encoder.encode(value), as: UTF8.self))
    try Self.sendAll(Array((json + "\n").utf8), to: STDOUT_FILENO)
  }

  /// Writes a report, as JSON or as lines that are not broken.
  func write(_ report: some Encodable, asJSON: Bool, lines: @autoclosure () -> [String]) throws {
    if asJSON { try writeJSON(report) } else { try writeLines(lines()) }
  }

  /// Writes a drawing, which has escape codes; into a pipe nothing.
  func writeDrawing(_ bytes: [UInt8]) {
    guard isTerminal else { return }
    Self.send(bytes, to: STDOUT_FILENO)
    if bytes.last != 0x0A { Self.send("\n", to: STDOUT_FILENO) }
  }

  /// Writes a line of a question or an answer to standard error, with styles if that is a terminal.
  func ask(_ text: String, _ style: Style = .plain) {
    let isStyled = style != .plain && isatty(STDERR_FILENO) == 1 && Self.allowsStyles(environment)
    let safe = SafeText.line(text)
    Self.send((isStyled ? style.rawValue + safe + "\u{1B}[0m" : safe) + "\n", to: STDERR_FILENO)
  }

  /// Writes a remark to standard error.
  static func remark(_ sentence: String) {
    send("longbox: \(SafeText.line(sentence))\n", to: STDERR_FILENO)
  }

  static func send(_ text: String, to file: Int32) { send(Array(text.utf8), to: file) }

  /// Ignores errors: remarks and pages for people may be lost.
  private static func send(_ bytes: [UInt8], to file: Int32) { try? sendAll(bytes, to: file) }

  /// Writes all bytes; stops without an error if the reader has closed the pipe.
  private static func sendAll(_ bytes: [UInt8], to file: Int32) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
        continue
      }
      switch errno {
      case EINTR: continue
      case EPIPE: return
      case EAGAIN:
        var ready = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
        poll(&ready, 1, -1)
      case let code:
        throw ReaderError.disk("The output is incomplete: \(String(cString: strerror(code))).")
      }
    }
  }
}

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
