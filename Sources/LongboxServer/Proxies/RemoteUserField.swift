// Longbox
// SPDX-License-Identifier: MIT

public import HTTPTypes

/// The header field in which a trusted proxy names the reader that it has signed in, such as `Remote-User`.
public struct RemoteUserField: Equatable, Sendable {
  /// The field's name.
  public let name: HTTPField.Name

  /// Reads a name; nil if it is malformed, or a field that browsers and proxies send for other reasons.
  public init?(_ text: String) {
    guard let name = HTTPField.Name(text), !ForwardedFields.contain(name) else { return nil }
    let lower = name.canonicalName
    guard !Self.others.contains(lower),
      !["accept", "sec-", "content-"].contains(where: { lower.hasPrefix($0) })
    else { return nil }
    self.name = name
  }

  /// Fields that browsers and proxies send for other reasons.
  private static let others: Set<String> = [
    "authorization", "cache-control", "connection", "cookie", "dnt", "expect", "host", "origin", "pragma",
    "priority", "purpose", "range", "referer", "te", "transfer-encoding", "upgrade",
    "upgrade-insecure-requests", "user-agent", "via", "x-real-ip", "x-requested-with",
  ]

  /// The user that a trusted proxy has signed in; nil if it named none, or sent the field twice.
  func user(in fields: HTTPFields) -> String? {
    let values = fields[values: name]
    guard values.count == 1, let user = values.first, user.contains(where: { !$0.isWhitespace }) else {
      return nil
    }
    return user
  }
}
