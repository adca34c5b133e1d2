// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// The content of the page about feeds.
public struct FeedsOffer: Equatable, Sendable {
  /// The parameters of a rerun.
  public struct Rerun: Equatable, Sendable {
    public var first: Comic.Number
    /// The first day.
    public var start: CalendarDate
    /// The number of comics per day.
    public var perDay: Int

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

  public init(origin: Text, today: CalendarDate?) {
    self.origin = origin
    self.today = today
  }
}

/// The feeds and the OPDS catalog, with addresses to copy.
struct FeedsPage: Equatable {
  let offer: FeedsOffer
}

extension FeedsPage: Page {
  var title: Text { "Feeds" }
  var kind: Text { "settings-page" }
  var tab: Tab? { .settings }
  var back: BackLink? { .settings }
  var canonical: Link? { .feeds }

  var content: HTML {
    div(.class("prose")) {
      if let rejection = offer.rejection { p(.id("problem"), .role("alert")) { bdi { rejection.sentence } } }
      p {
        "A feed reader tells you when there is something new. Give it one of these addresses; each comic comes with its "
        "picture, its alt text and its transcript."
      }
      newComics
      searches
      rerun
      favorites
      readerApps
    }
  }
}

extension FeedsPage {
  private var newComics: HTML {
    section(Attribute("aria-labelledby", "new")) {
      h2(.id("new")) { "New comics" }
      addresses { .feed($0) }
    }
  }

  private var searches: HTML {
    section(Attribute("aria-labelledby", "searches")) {
      h2(.id("searches")) { "A search" }
      p { "Get each new comic that matches a search." }
      choice {
        field("Words", name: "q", type: "search", value: offer.search, more: Attribute("maxlength", 200))
        choose
      }
      if !offer.search.isEmpty, offer.rejection == nil {
        addresses { .feed($0, of: offer.search) }
      }
    }
  }

  private var rerun: HTML {
    section(Attribute("aria-labelledby", "rerun")) {
      h2(.id("rerun")) { "From the beginning" }
      p { "All comics again, a few each day from the day you choose, as if they came out now." }
      choice {
        field(
          "First comic",
          name: "from",
          type: "text",
          value: offer.typed?.first ?? "1",
          more: Attribute("inputmode", "numeric")
        )
        field(
          "First day",
          name: "start",
          type: "date",
          value: offer.typed?.start ?? offer.today?.iso8601 ?? .empty
        )
        field(
          "Comics a day",
          name: "per-day",
          type: "number",
          value: offer.typed?.perDay ?? "1",
          more: Attribute("min", 1),
          Attribute("max", 20)
        )
        choose
      }
      if let rerun = offer.rerun {
        addresses { .rerun($0, from: rerun.first, start: rerun.start, perDay: rerun.perDay) }
      }
    }
  }

  private var favorites: HTML {
    section(Attribute("aria-labelledby", "favorites")) {
      h2(.id("favorites")) { "Your favorites" }
      if offer.favorites.isEmpty {
        p {
          "Your favorites can have a feed, and a catalogue of unread comics. Its address can’t be guessed, but anyone you give "
          "it to sees your favorites and what you have read. Your notes are not in it."
        }
        favoritesForm("make", "Make an address")
      } else {
        p {
          "Anyone with these addresses sees your favorites and what you have read. Make new ones or remove them, and "
          "the old ones stop working."
        }
        for token in offer.favorites {
          addresses { .favoritesFeed($0, token: token) }
          p { "A catalogue (OPDS) for comic reader apps, of your favorites and of what you have not read:" }
          p { address(offer.origin + Link.catalogue(ofReader: token).address) }
        }
        div(.class("form-buttons")) {
          favoritesForm("make", "Make a new address")
          favoritesForm("revoke", "Remove the address")
        }
      }
    }
  }

  private var readerApps: HTML {
    section(Attribute("aria-labelledby", "apps")) {
      h2(.id("apps")) { "Comic reader apps" }
      p {
        "Comic reader apps can open the whole archive as a catalogue (OPDS): by year, by character or topic, or by search. Each "
        "comic is a comic book of one page; so is each year, with a page for each comic."
      }
      p { address(offer.origin + Link.catalogue.address) }
    }
  }

  private func addresses(_ link: (FeedFormat) -> Link) -> HTML {
    dl {
      for format in FeedFormat.allCases {
        dt { format.name }
        dd { address(offer.origin + link(format).address) }
      }
    }
  }

  private func address(_ address: Text) -> HTML {
    a(.class("address"), .href(.external(address))) { address }
  }

  private func choice(@HTMLBuilder _ fields: () -> HTML) -> HTML {
    form(.class("import"), .action(.feeds), Attribute("method", "get")) { fields() }
  }

  private var choose: HTML {
    button(.class("button action"), Attribute("type", "submit")) { "Show the address" }
  }

  @HTMLBuilder private func field(
    _ label: Text,
    name: Text,
    type: Text,
    value: Text,
    more: Attribute...
  ) -> HTML {
    LongboxPages.label(Attribute("for", name)) { label }
    HTML(
      void: "input",
      [
        .id(name), Attribute("name", name), Attribute("type", type), Attribute("value", value),
        Attribute("autocomplete", "off"), Attribute("required"),
        offer.rejection?.field == name ? Attribute("aria-invalid", "true") : .none,
        offer.rejection?.field == name ? Attribute("aria-describedby", "problem") : .none,
      ] + more
    )
  }

  private func favoritesForm(_ action: Text, _ label: Text) -> HTML {
    form(.action(.favoritesFeeds), Attribute("method", "post")) {
      hidden("action", action)
      button(.class("button action"), Attribute("type", "submit")) { label }
    }
  }
}
