// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes

/// The key in a `Longbox-Machine-Key` field, by which the command line proves that it is used by the server's own user.
///
/// The server writes the key into a file of its data folder with mode 0600, and makes another at each start.
public enum MachineKeyField {
  /// The name of the field.
  public static let name = "Longbox-Machine-Key"

  private static let fieldName = HTTPField.Name(name)

  static func key(in head: HTTPRequest) -> String? {
    fieldName.flatMap { head.headerFields[$0] }
  }
}

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
