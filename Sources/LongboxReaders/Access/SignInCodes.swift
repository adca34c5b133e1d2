// Longbox
// SPDX-License-Identifier: MIT

import Crypto
import Foundation
import LongboxStore
import Synchronization

/// The codes by which a signed-in device lets another one in; each works once, for ten minutes.
protocol SignInCodes: Sendable {
  func offer(at now: Date) async throws(StoreError) -> String

  /// Uses a code; returns whether it was valid. It can't be used again.
  func redeem(_ text: String, at now: Date) async throws(StoreError) -> Bool

  /// Makes a used code valid again, because no session could be opened.
  func restore(_ text: String) async throws(StoreError)
}

extension Store {
  /// The sign-in codes of all nodes of a shared store, or of this process.
  func signInCodes() -> any SignInCodes {
    guard let shared else { return InMemorySignInCodes() }
    return SharedSignInCodes(store: shared)
  }
}

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

/// Sign-in codes of one process.
final class InMemorySignInCodes: SignInCodes {
  private struct Offer {
    let hash: [UInt8]
    let made: Date
    var isUsed = false
  }

  private let offers = Mutex<[Offer]>([])

  func offer(at now: Date) -> String {
    let code = SignInCodeRules.newCode()
    offers.withLock { offers in
      Self.removeExpired(&offers, at: now)
      if offers.count >= SignInCodeRules.most { offers.removeFirst() }
      offers.append(Offer(hash: SignInCodeRules.hash(of: code), made: now))
    }
    return SignInCodeRules.shown(code)
  }

  func redeem(_ text: String, at now: Date) -> Bool {
    guard let code = SignInCodeRules.code(in: text) else { return false }
    let hash = SignInCodeRules.hash(of: code)
    return offers.withLock { offers in
      Self.removeExpired(&offers, at: now)
      guard let index = offers.firstIndex(where: { $0.hash == hash && !$0.isUsed }) else { return false }
      offers[index].isUsed = true
      return true
    }
  }

  func restore(_ text: String) {
    guard let code = SignInCodeRules.code(in: text) else { return }
    let hash = SignInCodeRules.hash(of: code)
    offers.withLock { offers in
      if let index = offers.firstIndex(where: { $0.hash == hash }) { offers[index].isUsed = false }
    }
  }

  /// Removes those that were made too long ago, or in the future because the clock was set back since.
  private static func removeExpired(_ offers: inout [Offer], at now: Date) {
    offers.removeAll { abs(now.timeIntervalSince($0.made)) >= SignInCodeRules.lifetime }
  }
}

/// Sign-in codes in the database, so that a code of one node works on all nodes.
struct SharedSignInCodes: SignInCodes {
  let store: SharedStore

  func offer(at now: Date) async throws(StoreError) -> String {
    let code = SignInCodeRules.newCode()
    try await store.offerCode(
      .signIn,
      SignInCodeRules.hash(of: code),
      of: nil,
      content: [],
      until: now + SignInCodeRules.lifetime,
      keeping: SignInCodeRules.most,
      at: now
    )
    return SignInCodeRules.shown(code)
  }

  func redeem(_ text: String, at now: Date) async throws(StoreError) -> Bool {
    guard let code = SignInCodeRules.code(in: text) else { return false }
    return try await store.useCode(.signIn, SignInCodeRules.hash(of: code), at: now)
  }

  func restore(_ text: String) async throws(StoreError) {
    guard let code = SignInCodeRules.code(in: text) else { return }
    try await store.restoreCode(.signIn, SignInCodeRules.hash(of: code))
  }
}
