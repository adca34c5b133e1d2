// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxStore

/// Opens the data folder for commands that change it.
enum DataFolder {
  /// Maximum wait for another command.
  static let timeout = Duration.seconds(5)

  /// Opens the folder, and waits while another command has it open.
  ///
  /// If a server has it open, this fails at once, because a server runs for long.
  /// - Throws: `StoreError`.
  static func open(_ location: StoreLocation) async throws(StoreError) -> Store {
    try await Store.open(location, within: timeout) { _ in ServerAddress(of: location.folder) == nil }
  }
}
