// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// One `info.0.json` object, as xkcd sent it and decoded.
///
/// The bytes are kept verbatim: the rules for reading them improve (``DecodingRules``), and Longbox's
/// `/{n}/info.0.json` serves them. Number, date and title are required. Other fields that are missing or odd
/// are empty, and unknown fields are ignored.
public struct XkcdRecord: Equatable, Sendable {
  /// The longest record in bytes; xkcd's longest so far has 17,125.
  public static let byteLimit = 1 << 20

  /// The JSON object, verbatim.
  public let raw: [UInt8]
  /// `num`.
  public let number: Comic.Number
  /// `year`, `month`, `day`.
  public let date: CalendarDate
  /// `title`, with its entities and markup, or `safe_title` if it is empty.
  ///
  /// `safe_title` loses text (259, 3015, 3142).
  public let title: String
  /// `alt`.
  public let alt: String
  /// `transcript`, which belongs to another comic in places (1611 to 1677).
  public let transcript: String
  /// `img`.
  public let pictureAddress: String
  /// `link`.
  public let link: String
  /// `news`, which is HTML.
  public let news: String
  /// Whether `extra_parts` exists: scripts that make the comic interactive on xkcd.com.
  public let hasExtraParts: Bool

  /// Parses a record.
  /// - Parameter raw: the JSON object; white space around it is allowed.
  public init(raw: [UInt8]) throws(RecordFault) {
    guard raw.count <= Self.byteLimit else { throw .tooLong(limit: Self.byteLimit) }
    let fields = try Fields(json: raw)
    guard let number = Comic.Number(fields.num) else { throw .badNumber(fields.num) }
    guard let date = fields.date else { throw .badDate }
    guard let title = [fields.title, fields.safeTitle].first(where: { !$0.isEmpty }) else { throw .noTitle }
    self.raw = raw
    self.number = number
    self.date = date
    self.title = title
    alt = fields.alt
    transcript = fields.transcript
    pictureAddress = fields.pictureAddress
    link = fields.link
    news = fields.news
    hasExtraParts = fields.hasExtraParts
  }

  /// The comic that the record describes, by the current rules (``ComicRules``).
  /// - Parameter wiki: the comic's transcript on explain xkcd, which shows where the record's has lost slashes.
  public func comic(comparedWith wiki: Text = .empty) -> Comic {
    let alt = ComicRules.alt(Text(string: self.alt), of: number)
    let pictureAddress = ComicRules.pictureAddress(Text(string: self.pictureAddress))
    return Comic(
      number: number,
      date: date,
      title: ComicRules.title(Text(string: title)),
      alt: alt,
      transcript: ComicRules.transcript(Text(string: transcript), of: number, alt: alt, comparedWith: wiki),
      pictureAddress: pictureAddress,
      link: ComicRules.link(Text(string: link)),
      news: NewsHTML.news(news),
      isInteractive: ComicRules.isInteractive(hasExtraParts: hasExtraParts, pictureAddress: pictureAddress)
    )
  }
}
