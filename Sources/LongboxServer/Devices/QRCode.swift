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
