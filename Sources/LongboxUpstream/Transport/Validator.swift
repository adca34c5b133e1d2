// Longbox
// SPDX-License-Identifier: MIT

/// A source's validators for a copy (RFC 9110 section 8.8), sent back to ask for a newer version.
public struct Validator: Hashable, Sendable {
  /// The value of `ETag`, quotes included.
  public let entityTag: String?
  /// The value of `Last-Modified`, verbatim; it is never parsed.
  public let lastModified: String?

  /// Makes a validator; nil if both values are missing, over 200 bytes, or invalid in a header.
  public init?(entityTag: String?, lastModified: String?) {
    self.entityTag = entityTag.flatMap(Self.sendable)
    self.lastModified = lastModified.flatMap(Self.sendable)
    guard self.entityTag != nil || self.lastModified != nil else { return nil }
  }

  /// The header fields that request the value only if it has changed (RFC 9110 section 13.1).
  public var headers: HeaderFields {
    var headers = HeaderFields()
    if let entityTag { headers.add("If-None-Match", entityTag) }
    if let lastModified { headers.add("If-Modified-Since", lastModified) }
    return headers
  }

  private static func sendable(_ value: String) -> String? {
    let isVisible = value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    return isVisible && !value.isEmpty && value.utf8.count <= 200 ? value : nil
  }
}

/// The reply to a conditional request.
public enum Conditional<Value> {
  /// A newer value, with its validator if the source sent one.
  case fresh(Value, Validator?)
  /// The stored copy is still current.
  case notModified
}

extension Conditional: Sendable where Value: Sendable {}
extension Conditional: Equatable where Value: Equatable {}
