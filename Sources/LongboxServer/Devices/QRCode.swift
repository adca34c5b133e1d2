// Longbox
// SPDX-License-Identifier: MIT

import CQrencode
import LongboxCore
import LongboxPages

/// QR codes (ISO/IEC 18004) by libqrencode.
enum QRCode {
  /// The symbol of a text, with medium error correction: a seventh of it may be unreadable.
  /// - Returns: nothing where the text is longer than a symbol holds: 2,331 bytes.
  static func symbol(of text: String) -> QRSymbol? {
    guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
    defer { QRcode_free(code) }
    let width = Int(code.pointee.width)
    // The lowest bit of each byte is the module's colour; the others say what it is for.
    let modules = UnsafeBufferPointer(start: code.pointee.data, count: width * width).map { $0 & 1 == 1 }
    return QRSymbol(width: width, modules: modules)
  }
}
