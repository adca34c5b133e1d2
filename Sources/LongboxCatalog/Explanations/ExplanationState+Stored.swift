// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore
public import LongboxStore

extension ExplanationState {
  /// What a store knows of an explanation, for read-only use; it asks no source.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public static func stored(
    of number: Comic.Number,
    in store: Store
  ) async throws(CatalogError) -> ExplanationState {
    try await mappingErrors { ExplanationState(try await store.explanations.explanation(of: number)) }
  }
}
