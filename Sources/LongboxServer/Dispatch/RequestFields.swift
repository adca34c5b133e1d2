// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import LongboxPages

/// An entity tag (RFC 9110, sections 8.8.3 and 13.1).
struct EntityTag: Equatable, Sendable {
  /// The text between the quotes, without quotes and control characters.
  let value: String

  /// The tag as a header carries it.
  var header: String { "\"\(value)\"" }

  /// Whether a client with this `If-None-Match` has the content already.
  ///
  /// The comparison is weak, as the RFC requires.
  func matches(ifNoneMatch field: String?) -> Bool {
    guard let field else { return false }
    return field.split(separator: ",").contains { candidate in
      var tag = candidate.drop { $0 == " " || $0 == "\t" }
      while tag.last == " " || tag.last == "\t" { tag.removeLast() }
      if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
      return tag == "*" || tag == header
    }
  }
}

/// The requested range of a file (RFC 9110, section 14).
enum ByteRange: Equatable {
  /// The whole file: no range, or one that may be ignored (several ranges, other units).
  case whole
  case part(Range<Int>)
  /// A range outside the file.
  case unsatisfiable

  /// Parses a `Range` header.
  /// - Parameters:
  ///   - header: the header's value.
  ///   - count: the file's length in bytes.
  init(_ header: String?, of count: Int) {
    guard let header, let spec = header.split(separator: "=", maxSplits: 1).map({ $0 }).asPair,
      spec.0 == "bytes"
    else {
      self = .whole
      return
    }
    let bounds = spec.1.split(separator: "-", omittingEmptySubsequences: false)
    guard bounds.count == 2, !(bounds[0].isEmpty && bounds[1].isEmpty) else {
      self = .whole
      return
    }
    let first = Self.number(bounds[0])
    let last = Self.number(bounds[1])
    guard bounds[0].isEmpty || first != nil, bounds[1].isEmpty || last != nil else {
      self = .whole
      return
    }
    switch (first, last) {
    case (nil, let suffix?):
      self = suffix == 0 || count == 0 ? .unsatisfiable : .part(max(0, count - suffix)..<count)
    case (let first?, let last?) where last < first: self = .whole
    case (let first?, _) where first >= count: self = .unsatisfiable
    case (let first?, let last): self = .part(first..<min(count, (last ?? count - 1) + 1))
    case (nil, nil): self = .whole
    }
  }

  /// Parses a number of at most fifteen digits, to avoid overflow.
  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.count <= 15, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(text)
  }
}

extension [Substring] {
  fileprivate var asPair: (Substring, Substring)? { count == 2 ? (self[0], self[1]) : nil }
}

extension Hummingbird.Request {
  /// Whether the page is prefetched, and possibly never viewed.
  ///
  /// Our scripts send `Purpose`, browsers send `Sec-Purpose` (Fetch Standard).
  var isPrefetch: Bool {
    ["Purpose", "Sec-Purpose"].contains { name in
      HTTPField.Name(name).flatMap { headers[$0] }?.hasPrefix("prefetch") ?? false
    }
  }
}

/// The browser and device in a `User-Agent`, in words that people know.
struct BrowserName: Equatable, Sendable {
  /// Such as "Firefox on Android".
  let text: String
  /// The platform whose steps the start page shows first.
  let platform: StartOffer.Platform?

  init(_ agent: String?) {
    let agent = agent ?? ""
    func has(_ word: String) -> Bool { agent.contains(word) }
    let browser: String? =
      if has("Edg") { "Edge" } else if has("Firefox/") || has("FxiOS") { "Firefox" } else if has("OPR/") {
        "Opera"
      } else if has("SamsungBrowser") { "Samsung Internet" } else if has("Chrome/") || has("CriOS") {
        "Chrome"
      } else if has("Safari/") { "Safari" } else { nil }
    let system: (name: String, platform: StartOffer.Platform)? =
      if has("iPhone") { ("iPhone", .apple) } else if has("iPad") { ("iPad", .apple) } else if has("Android")
      {
        ("Android", browser == "Firefox" ? .androidFirefox : .android)
      } else if has("Windows") { ("Windows", .windows) } else if has("Macintosh") {
        ("Mac", .mac)
      } else if has("Linux") || has("CrOS") { ("Linux", .linux) } else { nil }
    platform = system?.platform
    text =
      switch (browser, system?.name) {
      case (let browser?, let system?): "\(browser) on \(system)"
      case (let browser?, nil): browser
      case (nil, let system?): "A browser on \(system)"
      case (nil, nil): "A browser"
      }
  }
}
