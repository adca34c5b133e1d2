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
  /// A source can't be asked for this, because of what the reader typed; a sentence says why.
  case invalid(reason: String)
  /// The node that leads couldn't fetch this for another node; its error as a sentence.
  case leader(reason: String)
  /// The picture can't be decoded.
  case undecodable(PictureError)
  /// Longbox failed for another reason.
  case failed(reason: String)
}

extension CatalogError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .upstream(let error): error.description
    case .store(let error): error.description
    case .undecodable(let error): error.description
    case .absent: "Longbox can’t find this."
    case .invalid(let reason), .leader(let reason): reason
    case .failed(let reason): "Longbox has an internal error: \(reason)"
    }
  }
}

extension CatalogError {
  init(_ error: any Error) {
    switch error {
    case let error as CatalogError: self = error
    case let error as UpstreamError: self = .upstream(error)
    case let error as StoreError: self = .store(error)
    case is CancellationError, PictureError.cancelled: self = .upstream(.cancelled)
    case let error as PictureError: self = .undecodable(error)
    default: self = .failed(reason: "\(error)")
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
