// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes

/// The access key in an `Authorization` field: the password of Basic (RFC 7617) or a Bearer token (RFC 6750).
enum AccessKeyField {
  static func secret(in head: HTTPRequest) -> String? {
    guard let field = head.headerFields[.authorization], field.utf8.count <= 1024 else { return nil }
    let parts = field.split(separator: " ", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    switch parts[0].lowercased() {
    case "bearer": return String(parts[1])
    case "basic":
      guard let data = Data(base64Encoded: String(parts[1])) else { return nil }
      let text = String(decoding: data, as: UTF8.self)
      guard let colon = text.firstIndex(of: ":") else { return nil }
      return String(text[text.index(after: colon)...])
    default: return nil
    }
  }
}
