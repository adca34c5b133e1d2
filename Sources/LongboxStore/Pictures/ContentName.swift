// Longbox
// SPDX-License-Identifier: MIT

import Crypto
import LongboxCore

/// A file's name by content: two hexadecimal digits as the folder, 62 more of its SHA-256, an extension.
struct ContentName: Hashable, Sendable {
  /// Such as `ab/cdef….png`.
  let value: String

  var folder: Substring { value.prefix(2) }

  var version: UInt32 { UInt32(value.filter { $0 != "/" }.prefix(8), radix: 16) ?? 0 }

  /// Computes the name of some bytes.
  /// - Parameters:
  ///   - bytes: the file's content.
  ///   - ending: the extension without the dot.
  init(of bytes: [UInt8], ending: String) {
    let digits = SHA256.hash(data: bytes).flatMap { byte in
      [byte >> 4, byte & 15].map { UInt8(hexadecimalDigit: $0) }
    }
    let hexadecimal = String(decoding: digits, as: UTF8.self)
    value = "\(hexadecimal.prefix(2))/\(hexadecimal.dropFirst(2)).\(ending)"
  }

  /// Parses a name from the database or the disk; nil if it has another form.
  init?(_ value: String) {
    let parts = value.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 65, parts[0].dropFirst(2).first == "/" else { return nil }
    let digits = parts[0].utf8.enumerated().filter { $0.offset != 2 }.map(\.element)
    guard digits.allSatisfy(Self.isDigit), ["png", "jpg", "gif", "webp"].contains(parts[1]) else {
      return nil
    }
    self.value = value
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }
}

extension PictureFacts.Format {
  var ending: String {
    switch self {
    case .png: "png"
    case .jpeg: "jpg"
    case .gif: "gif"
    }
  }
}
