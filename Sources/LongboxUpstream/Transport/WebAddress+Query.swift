// Longbox
// SPDX-License-Identifier: MIT

extension WebAddress {
  /// The address with a query of percent-encoded fields.
  func asking(_ fields: [(name: String, value: String)]) -> WebAddress {
    let query = fields.map { "\(Self.queryEncoded($0.name))=\(Self.queryEncoded($0.value))" }
    return WebAddress(origin: origin, target: target + "?" + query.joined(separator: "&"))
  }

  private static func queryEncoded(_ value: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    let plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8
    var bytes: [UInt8] = []
    for byte in value.utf8 {
      if plain.contains(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
