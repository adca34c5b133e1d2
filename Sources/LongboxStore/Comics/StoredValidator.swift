// Longbox
// SPDX-License-Identifier: MIT

/// The source's validators for its answer (RFC 9110 section 8.8), verbatim.
public struct StoredValidator: Hashable, Sendable {
  /// The value of the `ETag` header.
  public var etag: String?
  /// The value of the `Last-Modified` header.
  public var lastModified: String?

  /// Makes a validator; without values it validates nothing.
  public init(etag: String? = nil, lastModified: String? = nil) {
    self.etag = etag
    self.lastModified = lastModified
  }
}
