// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// A request, with all input that rendering depends on.
public struct Request: Equatable, Sendable {
  public enum Method: Equatable, Sendable {
    /// Shows a page.
    case get
    /// Submits a form; the host has verified that it comes from one of our pages.
    case post
  }

  public var method: Method
  /// The path, percent-encoded as received but without the base path, such as `/353/`.
  public var path: Text
  /// The query without the question mark, percent-encoded as received; may be empty.
  public var query: Text
  /// The form data, encoded as received; may be empty.
  public var body: Text
  /// A random number, for a random comic.
  public var random: UInt64
  /// The host's time in milliseconds since 1970-01-01 UTC.
  public var now: UInt64
  /// Whether the reader has a library, in which views are recorded.
  public var isRemembered: Bool
  /// Whether showing a comic counts as a view.
  ///
  /// On a device, a script reports a view once the comic was in view for a while.
  public var recordsViews = true
  /// Whether the page is prefetched: then no view is recorded, and no notice is marked as shown.
  public var isPrefetch: Bool

  public init(
    method: Method = .get,
    path: Text,
    query: Text = .empty,
    body: Text = .empty,
    random: UInt64 = 0,
    now: UInt64 = 0,
    isRemembered: Bool = false,
    isPrefetch: Bool = false
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.body = body
    self.random = random
    self.now = now
    self.isRemembered = isRemembered
    self.isPrefetch = isPrefetch
  }

  var fields: FormFields { FormFields(query) }

  /// The path and query, for a form to return to.
  var address: Text { query.isEmpty ? path : path + "?" + query }
}

/// The fields of a form or a query, as `application/x-www-form-urlencoded` (URL Standard, section 5.1).
package struct FormFields {
  /// The maximum number of fields to parse; our forms have fewer than ten.
  private static let most = 64

  private let encoded: Text

  package init(_ encoded: Text) {
    self.encoded = encoded
  }

  /// The decoded value of the first field with a name; nil if there is none.
  package subscript(name: Text) -> Text? {
    for pair in encoded.bytes.split(separator: UInt8(ascii: "&"), maxSplits: Self.most) {
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let key = parts.first, FormEncoding.decode(key) == name else { continue }
      return parts.count > 1 ? FormEncoding.decode(parts[1]) : .empty
    }
    return nil
  }

  /// All decoded fields, in order.
  package var all: [(name: Text, value: Text)] {
    encoded.bytes.split(separator: UInt8(ascii: "&"), maxSplits: Self.most).map { pair in
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return (FormEncoding.decode(parts[0]), parts.count > 1 ? FormEncoding.decode(parts[1]) : .empty)
    }
  }

  /// The comic numbers in all fields of a name, however many there are.
  func comics(_ name: Text) -> [Comic.Number] {
    encoded.bytes.split(separator: UInt8(ascii: "&")).compactMap { pair in
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1)
      guard parts.count == 2, Text(parts[0]) == name else { return nil }
      return Text(parts[1]).number.flatMap { Comic.Number($0) }
    }
  }

  /// The comic number in a field; nil if missing or invalid.
  func comic(_ name: Text) -> Comic.Number? {
    self[name]?.number.flatMap { Comic.Number($0) }
  }
}

enum FormEncoding {
  /// Decodes `+` to a space and `%41` to a byte, and keeps an invalid percent sign.
  ///
  /// The result is valid UTF-8.
  static func decode(_ encoded: ArraySlice<UInt8>) -> Text {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(encoded.count)
    var index = encoded.startIndex
    while index < encoded.endIndex {
      let byte = encoded[index]
      if byte == UInt8(ascii: "%"), index + 2 < encoded.endIndex,
        let high = hexadecimal(encoded[index + 1]), let low = hexadecimal(encoded[index + 2])
      {
        bytes.append(high << 4 | low)
        index += 3
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        index += 1
      }
    }
    return Text(bytes).valid
  }

  /// Encodes all bytes but ASCII letters, digits and a few signs.
  static func encode(_ text: Text) -> Text {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count + 16)
    for byte in text.bytes {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
        bytes.append(byte)
      case UInt8(ascii: " "): bytes.append(UInt8(ascii: "+"))
      default: bytes.appendPercentEncoded(byte)
      }
    }
    return Text(bytes)
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
