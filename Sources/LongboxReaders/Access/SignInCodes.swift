// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxStore

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
