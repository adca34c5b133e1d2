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
