// Longbox
// SPDX-License-Identifier: MIT

/// Lets the owner open the server to their network from a page, while it runs.
///
/// The server sets the passphrase; the program writes the settings.
public struct NetworkSetup: Sendable {
  /// Stores the settings that let other devices in, and returns the new settings.
  let store: @Sendable (_ hostNames: [String]) async throws -> ServerSettings

  /// Creates it.
  /// - Parameter store: creates the household's authority, stores the settings that let other devices in, and returns
  ///   the new settings. It gets the operator's names in lower case. The descriptions of its errors are sentences for
  ///   the owner.
  public init(store: @escaping @Sendable (_ hostNames: [String]) async throws -> ServerSettings) {
    self.store = store
  }
}
