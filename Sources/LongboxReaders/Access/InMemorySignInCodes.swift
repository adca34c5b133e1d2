// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// Sign-in codes of one process.
final class InMemorySignInCodes: SignInCodes {
  private let offers = Mutex<[(hash: [UInt8], expires: Date)]>([])

  func offer(at now: Date) -> String {
    let code = SignInCodeRules.newCode()
    offers.withLock { offers in
      offers.removeAll { $0.expires <= now }
      if offers.count >= SignInCodeRules.most { offers.removeFirst() }
      offers.append((SignInCodeRules.hash(of: code), now + SignInCodeRules.lifetime))
    }
    return SignInCodeRules.shown(code)
  }

  func redeem(_ text: String, at now: Date) -> Bool {
    guard let code = SignInCodeRules.code(in: text) else { return false }
    let hash = SignInCodeRules.hash(of: code)
    return offers.withLock { offers in
      offers.removeAll { $0.expires <= now }
      guard let index = offers.firstIndex(where: { $0.hash == hash }) else { return false }
      offers.remove(at: index)
      return true
    }
  }
}
