// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// A page that says what is wrong or missing, and what to do next.
struct MessagePage: Equatable {
  let title: Text
  let problem: Text
  /// The reader's input, for correction.
  var typed: Text = .empty
  /// Whether the page is the response to a typed number.
  var isAboutNumber = false
  /// Whether the page may load once there is a connection.
  var waitsForConnection = false
  var latest: Comic.Number?
  /// The comic to link to on xkcd.com.
  var elsewhere: Comic.Number?

  static func noSuchPage(latest: Comic.Number?) -> MessagePage {
    MessagePage(
      title: "Page not found",
      problem: "There is no page at this address. A comic’s address is its number, such as /353/.",
      latest: latest
    )
  }

  /// The page that a device shows in place of one that only its server renders.
  static var needsServer: MessagePage {
    MessagePage(
      title: "Not on this device",
      problem: "This page needs a connection to your server.",
      waitsForConnection: true
    )
  }

  static var unreadableForm: MessagePage {
    MessagePage(
      title: "That didn’t work",
      problem: "Something was missing. Go back, reload the page and try again."
    )
  }

  static func rejectedEdit(_ error: LibraryError) -> MessagePage {
    let problem: Text =
      switch error {
      case .noteTooLong:
        "The note is too long. It can have " + Text(decimal: LibraryLimits.noteCharacters)
          + " characters. Go back and shorten it."
      default: "Your library is full, and nothing was changed. Remove favorites that you no longer need."
      }
    return MessagePage(title: "That didn’t work", problem: problem)
  }

  static var nothingYet: MessagePage {
    MessagePage(
      title: "No comic yet",
      problem: "No comic is stored yet, and xkcd.com hasn’t answered. Try again in a minute."
    )
  }

  static func notStored(_ number: Comic.Number, latest: Comic.Number?, context: PageContext) -> MessagePage {
    let name = "Comic " + Text(decimal: number.value)
    let problem: Text =
      switch context.source {
      case _ where context.isOffline:
        "This comic isn’t on this device yet. It loads when you are back online."
      case _ where context.site.isStaticCopy: name + " isn’t in this copy. It may come with the next one."
      case .reachable, .unknown:
        name + " isn’t stored yet, and xkcd.com didn’t send it just now. Try again in a minute."
      case .down(let since):
        name + " isn’t stored yet, and xkcd.com has not answered since " + since
          + ". It loads when xkcd.com is back."
      }
    return MessagePage(
      title: name + " isn’t downloaded yet",
      problem: problem,
      waitsForConnection: context.isOffline,
      latest: latest,
      elsewhere: number
    )
  }
}

extension MessagePage {
  init(_ problem: Choice.Problem, typed: Text) {
    self.init(
      title: "No such comic",
      problem: problem.sentence(typed: typed),
      typed: typed,
      isAboutNumber: true
    )
    if case .aboveLatest(let latest) = problem { self.latest = latest }
  }
}

extension Choice.Problem {
  func sentence(typed: Text) -> Text {
    switch self {
    case .empty: "Type the number of a comic, such as 353."
    case .notANumber: "“" + typed + "” is not a number. Type the number of a comic in digits, such as 353."
    case .belowFirst: "There is no comic " + typed + ": the first comic is number 1."
    case .aboveLatest(let latest):
      "There is no comic " + typed + " yet: the latest comic is number " + Text(decimal: latest.value) + "."
    }
  }
}

extension MessagePage: Page {
  var kind: Text { "message-page" }
  var tab: Tab? { .comics }

  var content: HTML {
    div(.class("message empty")) {
      if isAboutNumber || latest != nil || elsewhere != nil { Drawing.boxWithRoom.html }
      p(.id("problem"), .role("alert"), waitsForConnection ? Attribute("data-waits") : .none) {
        bdi { problem }
      }
      NumberForm(typed: typed, isRejected: isAboutNumber, isMain: true).html
      ul(.class("links")) {
        if let elsewhere {
          li { a(.href(.xkcd(elsewhere))) { "Comic " + Text(decimal: elsewhere.value) + " on xkcd.com" } }
        }
        if latest != nil { li { a(.href(.latest)) { "Latest comic" } } }
        li { a(.href(.random)) { "Random comic" } }
        li { a(.href(.overview(.init()))) { "All comics" } }
      }
    }
  }
}

/// The page in place of comic 404.
struct MissingNumberPage: Page {
  let latest: Comic.Number
  /// Whether the page is a file, see ``Pager``.
  var isFile = false

  var title: Text { "404: no such comic" }
  var kind: Text { "card-page" }
  var tab: Tab? { .comics }
  var canonical: Link? { .missingNumber }

  var heading: HTML {
    span(.class("number")) { "#404" }
    " "
    h1 { "Not found, on purpose" }
  }

  var content: HTML {
    div(.class("message empty")) {
      Drawing.boxWithGap.html
      h2 { "There is no comic 404" }
      p(.id("problem")) {
        "The comics go from 403 straight to 405, so that xkcd.com can answer “404 Not Found” here and mean it."
      }
      ul(.class("links")) {
        for neighbor in [Comic.Number.beforeMissing, .afterMissing] where neighbor <= latest {
          li { a(.href(.comic(neighbor))) { "#" + Text(decimal: neighbor.value) } }
        }
      }
    }
    Pager(fromMissingNumberWithLatest: latest, isFile: isFile).html
  }
}

/// Asks before a form that removes much, and says what it removes.
struct ConfirmationPage: Equatable {
  let title: Text
  let sentence: Text
  let address: EditAddress
  let parent: BackLink
  /// Whether there is anything to remove.
  let hasEffect: Bool
  /// The favorites to remove; empty if the form removes all.
  var comics: [Comic.Number] = []

  /// Asks about selected favorites, whose removal can't be undone.
  init(removing comics: [Comic.Number], site: Site = Site()) {
    address = .removeFavorites
    title = "Remove favorites"
    sentence =
      "This removes " + counted(favorites: comics.count) + " and their notes" + Self.reach(of: site)
      + " You can’t undo this."
    hasEffect = true
    parent = .favorites
    self.comics = comics
  }

  init(_ address: EditAddress, library: Library, site: Site = Site()) {
    self.address = address
    let reach = Self.reach(of: site)
    if address == .clearFavorites {
      let count = library.favorites.count
      title = "Clear favorites"
      sentence =
        switch count {
        case 0: "You have no favorites yet."
        case 1: "This removes your one favorite and its note" + reach
        default:
          "This removes your " + Text(grouped: count) + " favorites and their notes" + reach
        }
      hasEffect = count > 0
      parent = .favorites
    } else {
      title = "Mark all comics as unread"
      hasEffect = library.readMarks.greatestRead != nil
      sentence =
        hasEffect
        ? "All comics count as unread again" + reach + " Your favorites and notes stay."
        : "You have not read any comic yet."
      parent = .settings
    }
  }

  /// A static copy doesn't sync.
  private static func reach(of site: Site) -> Text { site.isStaticCopy ? "." : ", on all your devices." }
}

extension ConfirmationPage: Page {
  var kind: Text { "message-page" }
  var tab: Tab? { address == .clearReadMarks ? .settings : .favorites }
  var back: BackLink? { parent }

  var content: HTML {
    div(.class("message")) {
      p { sentence }
      if hasEffect {
        EditForm(address: address, comic: nil, back: parent.link.address, comics: comics)
          .html(.class("button action")) { title }
      }
    }
  }
}
