// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxStore

/// Opens the data folder for commands that change it.
enum DataFolder {
  /// How long a command waits for another one.
  static let timeout = Duration.seconds(5)

  /// Opens the folder, and waits while another command has it open for a moment.
  ///
  /// If a server has it open, this fails at once, since servers run for long.
  /// - Throws: `StoreError`.
  static func open(_ location: StoreLocation) async throws(StoreError) -> Store {
    try await Store.open(location, within: timeout) { _ in ServerAddress(of: location.folder) == nil }
  }
}
