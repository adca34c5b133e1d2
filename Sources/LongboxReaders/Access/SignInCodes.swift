// Longbox
// SPDX-License-Identifier: MIT

import Crypto
import Foundation

/// The codes by which a signed-in device lets another one in; each works once, for ten minutes.
struct SignInCodes: Sendable {
  /// The validity of a code, in seconds.
  static let lifetime: TimeInterval = 600
  private static let limit = 20
  /// Letters that are not mistaken for each other.
  private static let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
  /// Two groups of five letters: 49 bits, with few tries.
  private static let length = 10

  private var offers: [(code: String, expires: Date)] = []

  mutating func offer(at now: Date) -> String {
    var random = SystemRandomNumberGenerator()
    let code = String((0..<Self.length).compactMap { _ in Self.letters.randomElement(using: &random) })
    offers.removeAll { $0.expires <= now }
    if offers.count >= Self.limit { offers.removeFirst() }
    offers.append((code, now + Self.lifetime))
    return "\(code.prefix(5))-\(code.dropFirst(5))"
  }

  /// Whether a text is a code that works; it doesn't from then on.
  mutating func redeem(_ text: String, at now: Date) -> Bool {
    let typed = text.lowercased().filter { !$0.isWhitespace && $0 != "-" }
    guard typed.count == Self.length else { return false }
    let hash = SHA256.hash(data: Array(typed.utf8))
    offers.removeAll { $0.expires <= now }
    guard let index = offers.firstIndex(where: { SHA256.hash(data: Array($0.code.utf8)) == hash }) else {
      return false
    }
    offers.remove(at: index)
    return true
  }
}
