// Longbox
// SPDX-License-Identifier: MIT

public import LongboxStore
public import LongboxUpstream

/// Why the catalog could not answer.
public enum CatalogError: Error, Equatable, Sendable {
  /// The source failed.
  case upstream(UpstreamError)
  /// The disk failed.
  case store(StoreError)
  /// There is no such comic, or it has no such picture.
  case absent
}

extension CatalogError: CustomStringConvertible {
  /// A sentence for people.
  public var description: String {
    switch self {
    case .upstream(let error): error.description
    case .store(let error): error.description
    case .absent: "There is no such thing."
    }
  }
}

extension CatalogError {
  init(_ error: any Error) {
    switch error {
    case let error as CatalogError: self = error
    case let error as UpstreamError: self = .upstream(error)
    case let error as StoreError: self = .store(error)
    default: self = .upstream(.cancelled)
    }
  }
}

/// Runs work, and throws its errors as `CatalogError`.
func mappingErrors<Value>(_ work: () async throws -> Value) async throws(CatalogError) -> Value {
  do {
    return try await work()
  } catch {
    throw CatalogError(error)
  }
}
