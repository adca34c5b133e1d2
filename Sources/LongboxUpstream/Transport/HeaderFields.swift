// Longbox
// SPDX-License-Identifier: MIT

/// Header fields in the order they came; names are compared without regard to case (RFC 9110 section 5.1).
public struct HeaderFields: Hashable, Sendable {
  /// One line of a header.
  public struct Field: Hashable, Sendable {
    /// The name, in its original case.
    public var name: String
    /// The value, trimmed.
    public var value: String
  }

  /// The fields, repeated names included.
  public private(set) var fields: [Field] = []

  /// Makes a header without fields.
  public init() {}

  /// Adds a field at the end.
  public mutating func add(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// The value of the first field with a name.
  public subscript(name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
  /// Makes a header of names and values.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { add(name, value) }
  }
}
