// Longbox
// SPDX-License-Identifier: MIT

import CPictureMessages

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
