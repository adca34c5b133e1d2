// Longbox
// SPDX-License-Identifier: MIT

public import LongboxStore
public import LongboxUpstream

/// Why the catalog could not give what it was asked for.
public enum CatalogError: Error, Equatable, Sendable {
  /// The source did not give it.
  case upstream(UpstreamError)
  /// The disk did not.
  case store(StoreError)
  /// There is no such thing: no such comic, or none with such a picture.
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
  /// The same for an error of any kind that one of the catalog's own steps threw.
  init(_ error: any Error) {
    switch error {
    case let error as CatalogError: self = error
    case let error as UpstreamError: self = .upstream(error)
    case let error as StoreError: self = .store(error)
    default: self = .upstream(.cancelled)
    }
  }
}
