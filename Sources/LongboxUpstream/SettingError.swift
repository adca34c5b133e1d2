// Longbox
// SPDX-License-Identifier: MIT

/// An operator's setting that can't be used.
public enum SettingError: Error, Equatable, Sendable {
  /// The setting with this name is not an http or https address.
  case address(setting: String, value: String)
  /// The contact can't be part of a User-Agent.
  case contact(String)
}

extension SettingError: CustomStringConvertible {
  /// A sentence that says what to change.
  public var description: String {
    switch self {
    case .address(let setting, let value):
      """
      \(setting) is “\(value)”, which is not an address that Longbox can use: write http:// or https://, a host, \
      and perhaps a path, without user name, query or fragment.
      """
    case .contact(let value):
      """
      LONGBOX_CONTACT is “\(value)”, which can't be sent as a contact: write an e-mail address or a URL in plain \
      letters, without parentheses or backslashes, of at most 200 characters.
      """
    }
  }
}
