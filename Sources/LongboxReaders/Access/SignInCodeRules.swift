// Longbox
// SPDX-License-Identifier: MIT

import Crypto
import Foundation

/// The form and the limits of all sign-in codes.
enum SignInCodeRules {
  /// The validity of a code, in seconds.
  static let lifetime: TimeInterval = 600
  /// How many codes are kept.
  static let most = 20
  /// Letters that look different from each other.
  private static let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
  /// Two groups of five letters: 49 bits, which is enough because guesses are limited.
  private static let length = 10

  static func newCode() -> String {
    var random = SystemRandomNumberGenerator()
    return String((0..<length).compactMap { _ in letters.randomElement(using: &random) })
  }

  /// A code as people read and type it.
  static func shown(_ code: String) -> String { "\(code.prefix(5))-\(code.dropFirst(5))" }

  /// The code in a typed text; nil if the text can't be a code.
  static func code(in text: String) -> String? {
    let typed = text.lowercased().filter { !$0.isWhitespace && $0 != "-" }
    return typed.count == length ? typed : nil
  }

  static func hash(of code: String) -> [UInt8] { Array(SHA256.hash(data: Array(code.utf8))) }
}
