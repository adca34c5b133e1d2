// Longbox
// SPDX-License-Identifier: MIT

/// A larger version of a comic's picture, on xkcd.com, to which the comic links.
public enum LargerVersion: Equatable, Sendable {
  /// A page that shows it, such as `https://xkcd.com/980/huge/` or `https://xkcd.com/850_large/`.
  case page
  /// The picture itself.
  case picture
  /// A document (2380), which is no picture.
  case document

  /// Reads a comic's link; nil if it leads to something else.
  ///
  /// A page counts if it is one of the comic itself, and a file if it is on `xkcd.com` or `imgs.xkcd.com`.
  /// - Parameters:
  ///   - link: an absolute address, see ``Comic/link``.
  ///   - number: the comic.
  public init?(_ link: Text, of number: Comic.Number) {
    var rest = link.bytes
    for scheme in ["https://", "http://"] as [StaticString] where rest.starts(with: scheme.utf8Bytes) {
      rest = rest.dropFirst(scheme.utf8CodeUnitCount)
    }
    guard rest.count < link.count, let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    let host = rest[..<slash]
    var path = rest[(slash + 1)...]
    let isPictures = ("imgs.xkcd.com" as StaticString).isEqual(to: host)
    guard
      isPictures
        || (["xkcd.com", "www.xkcd.com"] as [StaticString]).contains(where: { $0.isEqual(to: host) })
    else { return nil }
    guard !path.contains(UInt8(ascii: "?")), !path.contains(UInt8(ascii: "#")) else { return nil }
    if let dot = path.lastIndex(of: UInt8(ascii: ".")) {
      let ending = path[(dot + 1)...].map { $0.lowercasedASCII }
      if ("pdf" as StaticString).isEqual(to: ending) {
        self = .document
        return
      }
      guard (["png", "jpg", "jpeg", "gif"] as [StaticString]).contains(where: { $0.isEqual(to: ending) })
      else {
        return nil
      }
      self = .picture
      return
    }
    let own = Text(decimal: number.value).bytes
    guard !isPictures, path.starts(with: own), path.count > own.count else { return nil }
    path = path.dropFirst(own.count + 1)
    if path.last == UInt8(ascii: "/") { path = path.dropLast() }
    guard (["large", "huge"] as [StaticString]).contains(where: { $0.isEqual(to: path) }) else { return nil }
    self = .page
  }
}
