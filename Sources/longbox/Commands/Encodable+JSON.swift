// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxReaders

extension Encodable {
  /// The value as indented JSON, for `--json`.
  func json() throws -> String {
    let encoder = JSONEncoder.stable
    encoder.outputFormatting.insert(.prettyPrinted)
    encoder.dateEncodingStrategy = .iso8601
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
