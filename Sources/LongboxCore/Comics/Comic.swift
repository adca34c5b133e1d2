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
}
