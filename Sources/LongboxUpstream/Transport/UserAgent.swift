// Longbox
// SPDX-License-Identifier: MIT

/// The User-Agent that Longbox sends to sources: `Longbox/1.0 (+mailto:me@example.org)`.
public struct UserAgent: Hashable, Sendable {
  /// The value of the header.
  public let value: String

  /// Makes a User-Agent.
  /// - Parameters:
  ///   - version: the program's version.
  ///   - contact: the operator's e-mail address or URL (`LONGBOX_CONTACT`); left out if empty.
  /// - Throws: ``SettingError/contact(_:)`` if the contact can't be part of a header's comment.
  public init(version: String, contact: String?) throws(SettingError) {
    guard let contact, !contact.isEmpty else {
      value = "Longbox/\(version)"
      return
    }
    // RFC 9110 section 5.6.5: in a comment, parentheses and backslashes have a meaning.
    let isPlain = contact.utf8.allSatisfy { (0x20...0x7E).contains($0) && !"()\\".utf8.contains($0) }
    guard isPlain, contact.utf8.count <= 200 else { throw .contact(contact) }
    value = "Longbox/\(version) (+\(contact))"
  }
}
