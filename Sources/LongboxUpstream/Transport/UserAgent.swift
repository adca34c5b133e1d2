// Longbox
// SPDX-License-Identifier: MIT

/// The name by which Longbox goes to sources: `Longbox/1.0 (+mailto:me@example.org)`.
public struct UserAgent: Hashable, Sendable {
  /// The value of the header.
  public let value: String

  /// Makes a name.
  /// - Parameters:
  ///   - version: the program's version.
  ///   - contact: who runs this server, an e-mail address or URL (`LONGBOX_CONTACT`); left out where empty.
  /// - Throws: ``SettingError/contact(_:)`` where the contact can't stand in a header's comment.
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
