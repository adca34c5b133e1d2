// Longbox
// SPDX-License-Identifier: MIT

import CPictureMessages
import LongboxCore

/// The area that a terminal has for a picture, and how it shows pictures.
public struct TerminalArea: Equatable, Sendable {
  /// How a terminal shows pictures.
  public enum Drawing: Equatable, Sendable {
    /// What the terminal's environment variables say.
    case auto
    /// kitty's protocol.
    case kitty
    /// iTerm2's protocol.
    case iterm2
    /// DEC's sixels.
    case sixel
    /// Characters in colours.
    case symbols
  }

  /// The colours of symbols.
  public enum Colours: Equatable, Sendable {
    /// What the terminal's environment variables say.
    case auto
    /// The terminal's own ink alone.
    case none
  }

  /// How many cells a row has, at most 1,000.
  public var columns: Int
  /// How many rows there are, at most 1,000.
  public var rows: Int
  /// The width of a cell in pixels, at most 64.
  public var cellWidth: Int
  /// The height of a cell in pixels, at most 64.
  public var cellHeight: Int
  /// How to draw.
  public var drawing: Drawing
  /// The colours of symbols.
  public var colours: Colours

  /// Makes an area; values beyond the limits are clamped when a picture is drawn.
  public init(
    columns: Int,
    rows: Int,
    cellWidth: Int = 8,
    cellHeight: Int = 16,
    drawing: Drawing = .auto,
    colours: Colours = .auto
  ) {
    self.columns = columns
    self.rows = rows
    self.cellWidth = cellWidth
    self.cellHeight = cellHeight
    self.drawing = drawing
    self.colours = colours
  }

  static func bounded(_ value: Int, to most: Int) -> UInt32 { UInt32(min(max(value, 1), most)) }
}

extension TerminalArea.Drawing {
  var number: UInt32 {
    let number =
      switch self {
      case .auto: LONGBOX_DRAWING_AUTO
      case .kitty: LONGBOX_DRAWING_KITTY
      case .iterm2: LONGBOX_DRAWING_ITERM2
      case .sixel: LONGBOX_DRAWING_SIXEL
      case .symbols: LONGBOX_DRAWING_SYMBOLS
      }
    return UInt32(number)
  }
}

extension TerminalArea.Colours {
  var number: UInt32 {
    UInt32(self == .none ? LONGBOX_COLOURS_NONE : LONGBOX_COLOURS_AUTO)
  }
}

/// Checks that a drawing only draws: a terminal obeys what it is sent, and `longbox-pictures` reads untrusted bytes.
///
/// A drawing may hold printable characters, ends of lines, colours, repeated characters, and pictures: sixels, or by
/// the protocols of kitty and iTerm2.
struct TerminalDrawing {
  private static let escape = UInt8(0x1B)
  /// The longest list of parameters in bytes; libchafa's have at most 60.
  private static let longestParameters = 100

  /// What has not been checked yet.
  private var rest: ArraySlice<UInt8>

  /// Whether bytes may be sent to a terminal.
  static func isSafe(_ bytes: [UInt8]) -> Bool {
    var drawing = TerminalDrawing(rest: bytes[...])
    while !drawing.rest.isEmpty {
      guard drawing.takePart() else { return false }
    }
    return true
  }

  /// Takes an escape sequence, or the text before it.
  /// - Returns: whether it is allowed in a drawing. The functions below return the same.
  private mutating func takePart() -> Bool {
    guard rest.first == Self.escape else { return takeText() }
    if take("\u{1B}[") { return takeColours() }
    if take("\u{1B}P") { return takeSixels() }
    if take("\u{1B}_G") { return takeKittyPicture() }
    // Without `inline=1`, iTerm2 would store the picture as a file.
    if take("\u{1B}]1337;File=inline=1") { return takeITermPicture() }
    return false
  }

  private mutating func takeText() -> Bool {
    let bytes = take { $0 != Self.escape }
    guard let text = String(validating: bytes, as: UTF8.self) else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      if scalar.isASCII { return scalar == "\n" || (0x20..<0x7F).contains(scalar.value) }
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: return false
      default: return true
      }
    }
  }

  /// Colours, such as `38;2;255;0;0m`, or FbTerm's, such as `1;7}`; `12b` repeats a character.
  private mutating func takeColours() -> Bool {
    let parameters = takeNumbers()
    guard parameters.count <= Self.longestParameters else { return false }
    return take("m") || take("}") || (parameters.count <= 4 && take("b"))
  }

  private mutating func takeSixels() -> Bool {
    let parameters = takeNumbers()
    guard parameters.count <= Self.longestParameters, take("q") else { return false }
    _ = take { (0x21..<0x7F).contains($0) }
    return take("\u{1B}\\")
  }

  /// Parameters, such as `a=T,f=32,s=640,v=480,m=1`, and perhaps a part of the picture.
  private mutating func takeKittyPicture() -> Bool {
    let parameters = take { $0 != UInt8(ascii: ";") && $0 != Self.escape }
    // Other parameters make the terminal read or delete a file, or send a reply that the shell takes for typed text.
    guard Self.areNumbers(parameters, separator: ",", ["f", "s", "v", "c", "r", "m", "q"], or: "a=T") else {
      return false
    }
    if take(";") { takeBase64() }
    return take("\u{1B}\\")
  }

  /// Parameters, such as `;width=80;height=24;preserveAspectRatio=0`, and the picture.
  private mutating func takeITermPicture() -> Bool {
    let parameters = take { $0 != UInt8(ascii: ":") }
    guard
      parameters.first.map({ $0 == UInt8(ascii: ";") }) ?? true,
      Self.areNumbers(parameters, separator: ";", ["width", "height", "preserveAspectRatio"]),
      take(":")
    else { return false }
    takeBase64()
    return take("\u{7}")
  }

  /// Whether each parameter is a number with one of these names, or another text.
  private static func areNumbers(
    _ parameters: ArraySlice<UInt8>,
    separator: Character,
    _ names: Set<String>,
    or other: String? = nil
  ) -> Bool {
    guard parameters.count <= longestParameters else { return false }
    return String(decoding: parameters, as: UTF8.self).split(separator: separator).allSatisfy { parameter in
      let parts = parameter.split(separator: "=", omittingEmptySubsequences: false)
      guard parts.count == 2, names.contains(String(parts[0])) else { return String(parameter) == other }
      return parts[1].utf8.allSatisfy(\.isASCIIDigit)
    }
  }

  private mutating func takeBase64() {
    _ = take { $0.isASCIILetter || $0.isASCIIDigit || "+/=".utf8.contains($0) }
  }

  /// Takes numbers with `;` between them.
  private mutating func takeNumbers() -> ArraySlice<UInt8> {
    take { $0.isASCIIDigit || $0 == UInt8(ascii: ";") }
  }

  private mutating func take(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  private mutating func take(while isTaken: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let taken = rest.prefix(while: isTaken)
    rest = rest[taken.endIndex...]
    return taken
  }
}
