// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

extension WebAddress {
  /// The address with a query of percent-encoded fields.
  func asking(_ fields: [(name: String, value: String)]) -> WebAddress {
    let query = fields.map { "\(Self.queryEncoded($0.name))=\(Self.queryEncoded($0.value))" }
    return WebAddress(origin: origin, target: target + "?" + query.joined(separator: "&"))
  }

  private static func queryEncoded(_ value: String) -> String {
    let plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8
    var bytes: [UInt8] = []
    for byte in value.utf8 {
      if plain.contains(byte) {
        bytes.append(byte)
      } else {
        bytes.appendPercentEncoded(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
