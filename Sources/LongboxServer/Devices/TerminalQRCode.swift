// Longbox
// SPDX-License-Identifier: MIT

import CQrencode
import LongboxPages

/// A QR code for a terminal.
public enum TerminalQRCode {
  private static let margin = 4

  /// A text as a QR code of half blocks.
  /// - Parameters:
  ///   - text: the text.
  ///   - isStyled: whether escape codes make it dark on light, also in a dark terminal.
  /// - Returns: nil if the text is too long.
  public static func lines(for text: String, isStyled: Bool) -> [String]? {
    guard let symbol = QRCode.symbol(of: text, correction: QR_ECLEVEL_L) else { return nil }
    let width = symbol.width
    func isDark(_ row: Int, _ column: Int) -> Bool {
      guard (0..<width).contains(row), (0..<width).contains(column) else { return false }
      return symbol.modules[row * width + column]
    }
    let sides = -margin..<(width + margin)
    return stride(from: sides.lowerBound, to: sides.upperBound, by: 2).map { row in
      let blocks = sides.map { column in
        switch (isDark(row, column), isDark(row + 1, column)) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }
      // Black on white, whatever the terminal's colors are.
      return isStyled ? "\u{1B}[30;107m\(blocks.joined())\u{1B}[0m" : blocks.joined()
    }
  }
}
