// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxPages

/// The path below which the whole site is, such as `/longbox`; empty if it has a host of its own.
///
/// ``BasePathHandler`` removes it from requests; other code needs it only to write addresses.
public struct BasePath: Equatable, Sendable {
  /// The maximum length in bytes: each address and each cookie repeats the path.
  private static let longest = 200

  /// With a slash before it and none at its end; or empty.
  public let text: String

  /// Creates the empty path.
  public init() {
    text = ""
  }

  /// Reads a path, with a slash at its end or without; nil if it is malformed.
  ///
  /// Its parts have letters, digits, `-`, `_`, `.` and `~`, which need no encoding anywhere.
  public init?(_ text: String) {
    var path = text[...]
    if path.last == "/" { path.removeLast() }
    guard !path.isEmpty else {
      self.text = ""
      return
    }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard path.utf8.count <= Self.longest, parts.first == "",
      parts.dropFirst().allSatisfy({ part in
        !part.isEmpty && part != "." && part != ".."
          && part.utf8.allSatisfy { Self.isUnreserved($0) }
      })
    else { return nil }
    self.text = String(path)
  }

  /// Whether the site has a host of its own.
  public var isEmpty: Bool { text.isEmpty }

  /// The path in the form that pages take.
  var inPages: Text { Text(string: text) }

  /// A link's address with this path before it, for other programs.
  func address(of link: Link) -> String { text + link.address.description }

  /// The rest of a path below this one, with the slash before it and with its query; nil for any other path.
  func rest(of path: String) -> String? {
    guard !isEmpty else { return path }
    guard path.utf8.starts(with: text.utf8) else { return nil }
    let rest = path.utf8.dropFirst(text.utf8.count)
    return rest.first == UInt8(ascii: "/") ? String(Substring(rest)) : nil
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "~"): true
    default: false
    }
  }
}
