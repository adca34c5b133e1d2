// Longbox
// SPDX-License-Identifier: MIT

/// One xkcd comic, cleaned of what is known to be wrong in the source's record.
public struct Comic: Equatable, Sendable {
  /// The comic's number, its key: titles repeat (786 and 1071 are both "Exoplanets").
  public var number: Number
  /// The day of publication.
  ///
  /// It carries no hour, and some comics share one: order by number.
  public var date: CalendarDate
  /// The title as plain text, entities decoded and inline markup gone.
  public var title: Text
  /// The alt text, as plain text: angle brackets in it are text (524, 1965).
  public var alt: Text
  /// The transcript as plain text in the notation of the source, or empty where none is known.
  public var transcript: Text
  /// The address of the 1x picture as the source gives it, or empty where there is none (1608, 1663).
  public var pictureAddress: Text
  /// What the author linked the picture to: an http or https address, or empty.
  public var link: Text
  /// What the author said beside it, such as who drew a guest strip (822 to 826).
  public var news: News
  /// Whether the comic is interactive on xkcd.com, so that its picture is not the whole of it.
  public var isInteractive: Bool
  /// What is known of the picture's pixels, once it has been fetched.
  public var picture: PictureFacts?

  /// Makes a comic; only the number and the date have no default.
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
    picture: PictureFacts? = nil
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
  }
}
