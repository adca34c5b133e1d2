// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// Removes secrets from addresses that are logged: codes for pairing, and the names of favorites' feeds.
enum SecretAddress {
  private static let feeds = "/feeds/"
  /// What stands there in addresses that are the same for all readers.
  private static let publicNames: Set<Substring> = ["favorites", "rerun"]

  /// An address with `-` in place of each secret.
  static func withoutSecrets(_ address: String) -> String {
    guard address.utf8.contains(UInt8(ascii: "?")) || address.contains(feeds) else { return address }
    let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var text = withoutFeed(String(parts[0]))
    if parts.count > 1 {
      let fields = parts[1].split(separator: "&", omittingEmptySubsequences: false)
      text += "?" + fields.map(withoutSecret).joined(separator: "&")
    }
    return text
  }

  /// A query field, without its value if that is a code, or an address with a secret, as the sign-in page has.
  private static func withoutSecret(_ field: Substring) -> String {
    let name = field.prefix { $0 != "=" }
    let value = decoded(field.dropFirst(name.count + 1))
    let isSecret = decoded(name) == "code" || value.contains("code=") || withoutFeed(value) != value
    return isSecret ? "\(name)=-" : String(field)
  }

  /// A part of a query in lower case, without its percent-encoding.
  private static func decoded(_ text: Substring) -> String {
    (text.removingPercentEncoding ?? String(text)).lowercased()
  }

  /// A path, without the secret name of a favorites' feed: `/feeds/-.atom`.
  private static func withoutFeed(_ path: String) -> String {
    guard let start = path.firstRange(of: feeds)?.upperBound else { return path }
    let name = path[start...].prefix { $0 != "." && $0 != "/" }
    guard !name.isEmpty, !publicNames.contains(name) else { return path }
    return "\(path[..<start])-\(path[name.endIndex...])"
  }
}
