// Longbox
// SPDX-License-Identifier: MIT

/// By what the source tells whether its answer has changed (RFC 9110 section 8.8), word for word.
public struct StoredValidator: Hashable, Sendable {
  /// The value of the `ETag` header.
  public var etag: String?
  /// The value of the `Last-Modified` header.
  public var lastModified: String?

  /// Makes a validator; without either value it validates nothing.
  public init(etag: String? = nil, lastModified: String? = nil) {
    self.etag = etag
    self.lastModified = lastModified
  }
}
