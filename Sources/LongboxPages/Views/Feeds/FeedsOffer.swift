// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// The content of the page about feeds.
public struct FeedsOffer: Equatable, Sendable {
  /// The parameters of a rerun.
  public struct Rerun: Equatable, Sendable {
    /// The first comic.
    public var first: Comic.Number
    /// The first day.
    public var start: CalendarDate
    /// The number of comics per day.
    public var perDay: Int

    /// Makes the parameters.
    public init(first: Comic.Number, start: CalendarDate, perDay: Int) {
      self.first = first
      self.start = start
      self.perDay = perDay
    }
  }

  /// The form input for a rerun.
  public struct TypedRerun: Equatable, Sendable {
    /// The first comic.
    public var first: Text
    /// The first day.
    public var start: Text
    /// The number of comics per day.
    public var perDay: Text

    /// Makes the input.
    public init(first: Text, start: Text, perDay: Text) {
      self.first = first
      self.start = start
      self.perDay = perDay
    }
  }

  /// Why an input is rejected.
  public struct Rejection: Equatable, Sendable {
    /// The reason, as a sentence.
    public var sentence: Text
    /// The name of the invalid field.
    public var field: Text

    /// Makes a rejection.
    public init(_ sentence: Text, field: Text) {
      self.sentence = sentence
      self.field = field
    }
  }

  /// The server's scheme, host and port as the reader used them.
  public var origin: Text
  /// The server's date, the default first day.
  public var today: CalendarDate?
  /// The search whose feed was requested, or empty.
  public var search: Text = .empty
  /// The reader's input for a rerun, if any.
  public var typed: TypedRerun?
  /// The requested rerun.
  public var rerun: Rerun?
  /// The secret tokens of the reader's favorites feeds.
  public var favorites: [Text] = []
  /// Why the input is rejected.
  public var rejection: Rejection?

  /// Makes an offer.
  public init(origin: Text, today: CalendarDate?) {
    self.origin = origin
    self.today = today
  }
}
