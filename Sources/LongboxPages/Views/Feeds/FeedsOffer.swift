// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// What the page about feeds has to offer this reader.
public struct FeedsOffer: Equatable, Sendable {
  /// A re-run as somebody chose it.
  public struct Rerun: Equatable, Sendable {
    /// The comic with which it begins.
    public var first: Comic.Number
    /// The day on which it begins.
    public var start: CalendarDate
    /// How many comics come a day.
    public var perDay: Int

    /// Makes a choice.
    public init(first: Comic.Number, start: CalendarDate, perDay: Int) {
      self.first = first
      self.start = start
      self.perDay = perDay
    }
  }

  /// A re-run as it was typed into the form.
  public struct TypedRerun: Equatable, Sendable {
    /// The first comic.
    public var first: Text
    /// The first day.
    public var start: Text
    /// How many comics a day.
    public var perDay: Text

    /// Keeps what was typed.
    public init(first: Text, start: Text, perDay: Text) {
      self.first = first
      self.start = start
      self.perDay = perDay
    }
  }

  /// Why what was typed can't be had.
  public struct Refusal: Equatable, Sendable {
    /// A sentence.
    public var sentence: Text
    /// The field of the form that it is about.
    public var field: Text

    /// Makes a refusal.
    public init(_ sentence: Text, field: Text) {
      self.sentence = sentence
      self.field = field
    }
  }

  /// Scheme, host and port by which the reader reached the server.
  public var origin: Text
  /// The server's day, on which a re-run may begin.
  public var today: CalendarDate?
  /// The search whose feed was asked for, or empty.
  public var search: Text = .empty
  /// What stands in the form for a re-run, where something was typed.
  public var typed: TypedRerun?
  /// The re-run whose feed was asked for.
  public var rerun: Rerun?
  /// The unguessable parts of the addresses at which the reader's favourites can be read.
  public var favorites: [Text] = []
  /// Why what was asked for can't be had.
  public var refusal: Refusal?

  /// Makes an offer.
  public init(origin: Text, today: CalendarDate?) {
    self.origin = origin
    self.today = today
  }
}
