// Longbox
// SPDX-License-Identifier: MIT

/// An xkcd comic, with known errors of the source corrected.
public struct Comic: Equatable, Sendable {
  /// The comic's number, its key; titles repeat (786 and 1071 are both "Exoplanets").
  public var number: Number
  /// The date of publication.
  ///
  /// Some comics share a date, so order by number.
  public var date: CalendarDate
  /// The title as plain text, without entities and inline markup.
  public var title: Text
  /// The alt text as plain text; angle brackets in it are text (524, 1965).
  public var alt: Text
  /// The transcript as plain text in the source's notation, or empty.
  public var transcript: Text
  /// The address of the 1x picture as in the source, or empty (1608, 1663).
  public var pictureAddress: Text
  /// The http or https address that the picture links to, or empty.
  public var link: Text
  /// The author's remarks next to the comic, such as who drew a guest strip (822 to 826).
  public var news: News
  /// Whether the comic is interactive on xkcd.com, so that the picture shows only a part of it.
  public var isInteractive: Bool
  /// The facts about the picture, or nil until it has been fetched.
  public var picture: PictureFacts?
  /// Who and what it is about, from explain xkcd; each once.
  public var topics: [Topic]

  /// Creates a comic; only number and date have no default.
  public init(
    number: Number,
    date: CalendarDate,
    title: Text = .empty,
    alt: Text = .empty,
    transcript: Text = .empty,
    pictureAddress: Text = .empty,
    link: Text = .empty,
    news: News = .none,
    isInteractive: Bool = false,
    picture: PictureFacts? = nil,
    topics: [Topic] = []
  ) {
    self.number = number
    self.date = date
    self.title = title
    self.alt = alt
    self.transcript = transcript
    self.pictureAddress = pictureAddress
    self.link = link
    self.news = news
    self.isInteractive = isInteractive
    self.picture = picture
    self.topics = topics
  }

  /// The number of a comic, from 1; there is no comic 404.
  public struct Number: Hashable, Comparable, Sendable {
    /// The number as in xkcd's addresses.
    public let value: Int

    /// The greatest valid number, far above any that is expected.
    public static var greatestValue: Int { 999_999 }

    /// The comic before 404, which xkcd left out as a joke: its address answers "404 Not Found".
    public static var beforeMissing: Number { Number(unchecked: 403) }

    /// The comic after 404.
    public static var afterMissing: Number { Number(unchecked: 405) }

    public static var first: Number { Number(unchecked: 1) }

    /// Creates a number; nil below 1, above 999,999 and for 404.
    public init?(_ value: Int) {
      guard value >= 1, value <= Self.greatestValue, value != 404 else { return nil }
      self.value = value
    }

    private init(unchecked value: Int) {
      self.value = value
    }

    /// The comic after this one, which may not exist yet.
    public var next: Number? { Number(value == 403 ? 405 : value + 1) }

    /// The comic before this one; nil for the first.
    public var previous: Number? { Number(value == 405 ? 403 : value - 1) }

    /// The number of comics up to and including this one: one less than the number from 405 on.
    public var ordinal: Int { value > 404 ? value - 1 : value }

    /// Creates the number of the comic with an ordinal.
    /// - Parameter ordinal: 1 for the first comic, 404 for comic 405.
    public init?(ordinal: Int) {
      guard ordinal >= 1 else { return nil }
      self.init(ordinal >= 404 ? ordinal + 1 : ordinal)
    }

    /// Orders by number, which is also the order of publication.
    public static func < (left: Number, right: Number) -> Bool { left.value < right.value }
  }
}

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
