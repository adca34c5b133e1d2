// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
public import LongboxCore
import LongboxStore

extension Catalog {
  /// When comics were last changed, to the second; those that never were since they came have no date.
  /// - Throws: `CatalogError.store` where the store can't be read.
  public func changeDates(of numbers: [Comic.Number]) async throws(CatalogError) -> [Comic.Number: Date] {
    do {
      return try await shown.store.changeDates(of: numbers)
    } catch {
      throw CatalogError(error)
    }
  }
}
