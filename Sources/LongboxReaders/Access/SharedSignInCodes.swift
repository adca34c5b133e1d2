// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxStore

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
