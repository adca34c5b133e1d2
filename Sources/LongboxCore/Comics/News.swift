// Longbox
// SPDX-License-Identifier: MIT

/// The author's remarks about a comic, as lines of words and links.
///
/// xkcd sends HTML. The decoder converts it to this type, so archives hold no markup and pages needn't
/// sanitize it.
public struct News: Equatable, Sendable {
  /// Words with at most one link.
  public struct Run: Equatable, Sendable {
    /// The words; a line feed ends a line.
    public var words: Text
    /// An http or https address or a path of this site; empty if the words are not a link.
    public var address: Text

    /// Creates a run of words.
    public init(_ words: Text, address: Text = .empty) {
      self.words = words
      self.address = address
    }
  }

  /// The encoding in archives: runs separated by U+001E, each its words and, for a link, U+001F and the
  /// address.
  let stored: Text

  private static let runSeparator: UInt8 = 0x1E
  private static let addressSeparator: UInt8 = 0x1F

  /// No remarks.
  public static var none: News { News(stored: .empty) }

  /// Creates news from runs, whose only control characters are line feeds.
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

  /// Decodes news from an archive.
  init(stored: Text) {
    self.stored = stored
  }

  /// Whether there are no remarks.
  public var isEmpty: Bool { stored.isEmpty }

  /// The runs in order; unsafe addresses become empty.
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
  /// The target of a link in the news: an http or https address, a path of this site for comics, or empty.
  ///
  /// Relative addresses are relative to xkcd.com (1830). 2288 lacks the opening quotation mark, so the
  /// closing one is removed.
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
