// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

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
