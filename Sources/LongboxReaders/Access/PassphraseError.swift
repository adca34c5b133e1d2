// Longbox
// SPDX-License-Identifier: MIT

/// Why a passphrase can't be taken; each description is a sentence.
public enum PassphraseError: Error, Equatable, Sendable, CustomStringConvertible {
  /// It has too few characters.
  case tooShort
  /// It has too many characters.
  case tooLong

  /// The minimum number of characters.
  public static let least = 8
  /// The maximum number of characters.
  public static let most = 200

  /// Checks a passphrase.
  public static func check(_ passphrase: String) throws(PassphraseError) {
    if passphrase.count < least { throw .tooShort }
    if passphrase.count > most { throw .tooLong }
  }

  /// A sentence that says what to do.
  public var description: String {
    switch self {
    case .tooShort:
      "The passphrase is too short: use at least \(Self.least) characters. Four random words are easy to remember and hard to guess."
    case .tooLong: "The passphrase is too long: use at most \(Self.most) characters."
    }
  }
}
