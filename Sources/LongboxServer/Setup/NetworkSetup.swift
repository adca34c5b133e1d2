// Longbox
// SPDX-License-Identifier: MIT

/// Lets the program's owner open it to their network from a page, while it runs.
///
/// The server asks for the passphrase; the program knows where its settings are.
public struct NetworkSetup: Sendable {
  /// Stores the settings that let other devices in, and returns those to go on with.
  let store: @Sendable (_ hostNames: [String]) async throws -> ServerSettings

  /// Creates it.
  /// - Parameter store: makes the household's authority, stores the settings that let other devices in, and returns
  ///   those to go on with. It gets the operator's names in lower case. The description of its errors is a sentence
  ///   for the person.
  public init(store: @escaping @Sendable (_ hostNames: [String]) async throws -> ServerSettings) {
    self.store = store
  }
}
