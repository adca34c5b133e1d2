// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// Removes secrets from addresses that are logged: codes for pairing, access keys, and the names of favorites' feeds.
///
/// Clients may spell an address in many ways, which all show the secret to those who read the log. So it looks at the
/// address without its percent-encoding, and hides whatever isn't known to be public.
enum SecretAddress {
  /// What stands below `/feeds/` in addresses that are the same for all readers, besides numbers and dates.
  private static let publicNames: Set<Substring> = ["", "favorites", "rerun", "opds", "unread"]
  private static let extensions: Set<Substring> = ["atom", "json", "cbz"]
  /// What the names of parameters with a secret contain.
  private static let codes = ["code", AccessKeyField.parameter]

  /// An address with `-` in place of each secret.
  ///
  /// With a secret, the path is logged without its percent-encoding.
  static func withoutSecrets(_ address: String) -> String {
    guard mayHaveSecret(address) else { return address }
    let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = plain(parts[0])
    let safePath = withoutCode(withoutFeed(path))
    var text = safePath == path ? String(parts[0]) : safePath
    if parts.count > 1 {
      let fields = parts[1].split(separator: "&", omittingEmptySubsequences: false)
      text += "?" + fields.map(withoutSecret).joined(separator: "&")
    }
    return text
  }

  private static func mayHaveSecret(_ address: String) -> Bool {
    address.utf8.contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "=") }
      || address.lowercased().contains("feeds")
  }

  /// A query field, without its value if that is a code, a key, or an address with a secret, as the sign-in page has.
  private static func withoutSecret(_ field: Substring) -> String {
    // Shorter than all codes. An address may have a thousand such fields.
    guard field.utf8.count >= 3 else { return String(field) }
    let name = field.prefix { $0 != "=" }
    let value = plain(field.dropFirst(name.count + 1))
    let isNamed = codes.contains { plain(name).contains($0) }
    let isSecret = isNamed || withoutCode(value) != value || withoutFeed(value) != value
    return isSecret ? "\(name)=-" : String(field)
  }

  /// A text in lower case, without percent-encoding of any depth.
  private static func plain(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      bytes.append(byte)
      // What was decoded may complete another. So the time grows with the length alone, not with the depth.
      while let decoded = decodedEnd(of: bytes) {
        bytes.removeLast(3)
        bytes.append(decoded)
      }
    }
    return String(decoding: bytes, as: UTF8.self).lowercased()
  }

  /// What the last three bytes stand for, such as `/` for `%2F`; nil if they are no percent-encoding.
  private static func decodedEnd(of bytes: [UInt8]) -> UInt8? {
    func digit(_ byte: UInt8) -> UInt8? {
      Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }
    let start = bytes.count - 3
    guard start >= 0, bytes[start] == UInt8(ascii: "%"), let high = digit(bytes[start + 1]),
      let low = digit(bytes[start + 2])
    else { return nil }
    return high << 4 | low
  }

  /// A text up to its first code or key.
  private static func withoutCode(_ text: String) -> String {
    let ends = codes.compactMap { text.firstRange(of: $0 + "=")?.upperBound }
    return ends.min().map { text[..<$0] + "-" } ?? text
  }

  /// An address, without the secret name of a favorites' feed: `/feeds/-.atom`.
  private static func withoutFeed(_ address: String) -> String {
    // A host may have such a name, too.
    let path =
      address.firstRange(of: "://").map { address[$0.upperBound...].drop { $0 != "/" } } ?? address[...]
    var isBelow = false
    let parts = path.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }
      .map { part in
        if isBelow { return withoutName(part) }
        isBelow = part.hasPrefix("feeds")
        return isBelow && part != "feeds" ? "feeds-" : part
      }
    return address[..<path.startIndex] + parts.joined(separator: "/")
  }

  /// A part of an address below `/feeds/`, with `-` in place of a name that isn't public.
  private static func withoutName(_ part: Substring) -> Substring {
    let name = part.prefix { $0 != "." }
    let end = part.dropFirst(name.count + 1)
    let isPublic =
      publicNames.contains(name) || name.count <= 10 && name.allSatisfy { $0.isNumber || $0 == "-" }
    if name.count == part.count { return isPublic ? part : "-" }
    guard extensions.contains(end) else { return "-" }
    return isPublic ? part : "-.\(end)"
  }
}
