// Longbox
// SPDX-License-Identifier: MIT

import CQrencode
import LongboxCore
import LongboxPages

enum QRCode {
  /// Encodes a text as a QR code (ISO/IEC 18004).
  /// - Parameters:
  ///   - text: the text.
  ///   - correction: how much may be unreadable; by default 15 %, so that 2,331 bytes have room.
  /// - Returns: nil if the text is too long.
  static func symbol(of text: String, correction: QRecLevel = QR_ECLEVEL_M) -> QRSymbol? {
    guard let code = QRcode_encodeString8bit(text, 0, correction) else { return nil }
    defer { QRcode_free(code) }
    let width = Int(code.pointee.width)
    // The lowest bit of each byte is the module's colour; the others describe its function.
    let modules = UnsafeBufferPointer(start: code.pointee.data, count: width * width).map { $0 & 1 == 1 }
    return QRSymbol(width: width, modules: modules)
  }
}

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
