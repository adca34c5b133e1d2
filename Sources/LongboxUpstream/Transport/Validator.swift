// Longbox
// SPDX-License-Identifier: MIT

/// What a source said of a copy's version (RFC 9110 section 8.8), to be sent back when asking whether there is a newer one.
public struct Validator: Hashable, Sendable {
  /// The value of `ETag`, quotes and all.
  public let entityTag: String?
  /// The value of `Last-Modified`, as it came: it is compared, not understood.
  public let lastModified: String?

  /// Makes a validator, or nothing where there is nothing to send: both missing, empty, over 200 bytes, or
  /// holding what a header may not.
  public init?(entityTag: String?, lastModified: String?) {
    self.entityTag = entityTag.flatMap(Self.sendable)
    self.lastModified = lastModified.flatMap(Self.sendable)
    guard self.entityTag != nil || self.lastModified != nil else { return nil }
  }

  /// The header fields that ask for the thing only if it has changed (RFC 9110 section 13.1).
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

/// The answer to a conditional request.
public enum Conditional<Value> {
  /// There is a value newer than the copy at hand, with its validator where the source gave one.
  case fresh(Value, Validator?)
  /// The copy at hand is still right.
  case notModified
}

extension Conditional: Sendable where Value: Sendable {}
extension Conditional: Equatable where Value: Equatable {}
