// Longbox
// SPDX-License-Identifier: MIT

/// What the author said about a comic: words and links, line by line, and nothing else.
///
/// xkcd sends HTML. Whoever reads a record makes this of it, so that an archive holds no markup and no page has to be
/// careful with it.
public struct News: Equatable, Sendable {
  /// Words that lead to one place, or nowhere.
  public struct Run: Equatable, Sendable {
    /// The words; a line feed ends a line.
    public var words: Text
    /// An http or https address, or a path of this site; empty where the words are no link.
    public var address: Text

    /// Makes a run of words.
    public init(_ words: Text, address: Text = .empty) {
      self.words = words
      self.address = address
    }
  }

  /// How it stands in an archive: runs with U+001E between them, each its words and, of a link, U+001F and its address.
  let stored: Text

  private static let runSeparator: UInt8 = 0x1E
  private static let addressSeparator: UInt8 = 0x1F

  /// Nothing at all.
  public static var none: News { News(stored: .empty) }

  /// Makes news; the runs hold no control characters but line feeds.
  public init(_ runs: [Run]) {
    var bytes: [UInt8] = []
    for run in runs {
      if !bytes.isEmpty { bytes.append(Self.runSeparator) }
      bytes.append(contentsOf: run.words.bytes)
      guard !run.address.isEmpty else { continue }
      bytes.append(Self.addressSeparator)
      bytes.append(contentsOf: run.address.bytes)
    }
    stored = Text(bytes)
  }

  /// Takes news as they stand in an archive.
  init(stored: Text) {
    self.stored = stored
  }

  /// Whether nothing was said.
  public var isEmpty: Bool { stored.isEmpty }

  /// The runs in their order; an address that could do anything but lead somewhere is left out.
  public var runs: [Run] {
    stored.bytes.split(separator: Self.runSeparator).map { run in
      let end = run.firstIndex(of: Self.addressSeparator) ?? run.endIndex
      let address = Text(run[end...].dropFirst())
      return Run(Text(run[..<end]), address: Self.isSafe(address) ? address : .empty)
    }
  }

  private static func isSafe(_ address: Text) -> Bool {
    let bytes = address.bytes
    if bytes.first == UInt8(ascii: "/") { return bytes.dropFirst().first != UInt8(ascii: "/") }
    return address.starts(with: "https://") || address.starts(with: "http://")
  }
}

extension ComicRules {
  /// Where a link in the news leads: an http or https address, a path of ours for a comic of xkcd's, or empty.
  ///
  /// Relative ones are relative to xkcd.com (1830), and 2288 lacks a quotation mark before the address, so that the one
  /// behind it belongs to it.
  public static func newsAddress(_ raw: Text) -> Text {
    var bytes = raw.bytes.trimmed()
    while bytes.last == UInt8(ascii: "\"") || bytes.last == UInt8(ascii: "'") { bytes = bytes.dropLast() }
    let isPath = bytes.first == UInt8(ascii: "/") && bytes.dropFirst().first != UInt8(ascii: "/")
    let address = link(isPath ? "https://xkcd.com" + Text(bytes) : Text(bytes))
    for site in ["https://xkcd.com/", "https://www.xkcd.com/", "http://xkcd.com/", "http://www.xkcd.com/"]
      as [Text]
    where address.starts(with: site) {
      var rest = address.bytes.dropFirst(site.count)
      if rest.last == UInt8(ascii: "/") { rest = rest.dropLast() }
      if let number = Text(rest).number { return "/" + Text(decimal: number) + "/" }
    }
    return address
  }
}
