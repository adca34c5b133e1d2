// Longbox
// SPDX-License-Identifier: MIT

import Foundation

extension Encodable {
  /// The value as indented JSON, for `--json`.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
