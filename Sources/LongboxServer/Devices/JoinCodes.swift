// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// The codes by which one device joins another's library: each works once, for ten minutes.
///
/// They are kept in memory alone, for they stand for the key of a library, which is written down nowhere. A server that
/// was restarted knows none of them any more, and says so.
final class JoinCodes: Sendable {
  /// Why a code is not taken.
  enum Refusal: Error, Equatable, CaseIterable {
    /// Nobody was given it, or the server has been restarted since.
    case unknown
    /// Its ten minutes are over.
    case expired
    /// A device has joined by it.
    case used
    /// Too many codes were tried that are none.
    case tooManyTries
  }

  private struct Offer {
    var library: LibraryCookie
    var expires: Date
    var isUsed = false
  }

  private struct State {
    var offers: [String: Offer] = [:]
    var misses: [Date] = []
  }

  /// How long a code works.
  static let patience: TimeInterval = 600
  /// After that many wrong codes within a minute no code is taken until the minute is over.
  static let missLimit = 30
  /// The most codes that are remembered, those included that no longer work.
  private static let offerLimit = 1_000
  private static let byteCount = 16

  private let state = Mutex(State())

  /// A new code for a library, of 128 bits by chance; the library's earlier ones work no longer.
  func offer(_ library: LibraryCookie, at now: Date) -> String {
    var random = SystemRandomNumberGenerator()
    let bytes = (0..<Self.byteCount).map { _ in UInt8.random(in: 0...255, using: &random) }
    let code = Data(bytes).base64URL
    state.withLock { state in
      state.offers = state.offers.filter { $0.value.library != library || $0.value.isUsed }
      if state.offers.count >= Self.offerLimit,
        let oldest = state.offers.min(by: { $0.value.expires < $1.value.expires })
      {
        state.offers[oldest.key] = nil
      }
      state.offers[code] = Offer(library: library, expires: now + Self.patience)
    }
    return code
  }

  /// The library that a code stands for; the code goes on working.
  func library(for code: String, at now: Date) -> Result<LibraryCookie, Refusal> {
    look(up: code, at: now) { _ in }
  }

  /// The library that a code stands for; the code works no longer.
  func redeem(_ code: String, at now: Date) -> Result<LibraryCookie, Refusal> {
    look(up: code, at: now) { $0.isUsed = true }
  }

  /// Has a code work again by which nothing was done.
  func restore(_ code: String) {
    state.withLock { $0.offers[code]?.isUsed = false }
  }

  /// The library that a used code stood for, so that who joined by it can be told apart from who comes late.
  func libraryOfUsed(_ code: String) -> LibraryCookie? {
    state.withLock { $0.offers[code].flatMap { $0.isUsed ? $0.library : nil } }
  }

  private func look(
    up code: String,
    at now: Date,
    _ change: (inout Offer) -> Void
  ) -> Result<LibraryCookie, Refusal> {
    state.withLock { state in
      state.misses.removeAll { $0 <= now - 60 }
      guard state.misses.count < Self.missLimit else { return .failure(.tooManyTries) }
      guard var offer = state.offers[code] else {
        state.misses.append(now)
        return .failure(.unknown)
      }
      guard !offer.isUsed else { return .failure(.used) }
      guard now < offer.expires else { return .failure(.expired) }
      change(&offer)
      state.offers[code] = offer
      return .success(offer.library)
    }
  }
}
