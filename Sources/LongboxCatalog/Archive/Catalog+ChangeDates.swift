// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
public import LongboxCore
import LongboxStore

extension Catalog {
  /// When comics last changed, to the second; comics that never changed are left out.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public func changeDates(of numbers: [Comic.Number]) async throws(CatalogError) -> [Comic.Number: Date] {
    do {
      return try await shown.store.changeDates(of: numbers)
    } catch {
      throw CatalogError(error)
    }
  }
}
