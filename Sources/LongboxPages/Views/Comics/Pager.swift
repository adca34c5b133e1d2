// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The links from a comic to others: neighbors, both ends, a random comic, and any by number.
struct Pager: Equatable {
  /// The first comic; nil on its own page.
  let first: Comic.Number?
  /// The previous comic; nil at the first.
  let previous: Comic.Number?
  /// The next comic; nil at the latest.
  let next: Comic.Number?
  /// The latest comic; nil on its own page.
  let latest: Comic.Number?
  /// The newest comic of all, also while a list is read through.
  let newest: Comic.Number
  /// The list that is read through, if any: first, previous, next and latest are those of the list.
  let list: ReadingList?
  /// The weekday on which the comic after the latest is expected, if known.
  let nextDay: Weekday?
  /// The comic of this page; nil on the page in place of comic 404.
  let current: Comic.Number?
  /// Whether the page is a file of a static copy: it links to the latest comic without its number, which changes.
  let isFile: Bool

  init(
    from number: Comic.Number,
    at place: ListPlace? = nil,
    latest: Comic.Number,
    nextDay: Weekday? = nil,
    isFile: Bool = false
  ) {
    self.isFile = isFile
    current = number
    newest = latest
    list = place?.list
    if let place {
      (first, previous, next, self.latest) = (place.first, place.previous, place.next, place.last)
    } else {
      first = number == .first ? nil : .first
      previous = number.previous
      next = number.next.flatMap { $0 <= latest ? $0 : nil }
      self.latest = number == latest ? nil : latest
    }
    self.nextDay = nextDay
  }

  /// The links from the page in place of comic 404.
  init(fromMissingNumberWithLatest latest: Comic.Number, isFile: Bool = false) {
    self.isFile = isFile
    current = nil
    first = .first
    previous = min(.beforeMissing, latest)
    next = latest < .afterMissing ? nil : .afterMissing
    self.latest = latest
    newest = latest
    list = nil
    nextDay = nil
  }

  /// Why there is no next comic.
  private var latestReason: Text {
    if list != nil { return "This is the last comic of this list." }
    return nextDay.map { "This is the latest comic. Next: " + $0.name + "." } ?? "This is the latest comic."
  }

  /// Why there is no previous comic.
  private var firstReason: Text {
    list == nil ? "This is the first comic." : "This is the first comic of this list."
  }

  var html: HTML {
    div(.class("controls")) {
      nav(.class("pager"), .label("Comics")) {
        // Text browsers show the spaces between the links.
        step("First comic", icon: .first, to: first, else: firstReason)
        " "
        step("Previous comic", icon: .previous, to: previous, else: firstReason)
        " "
        a(
          .class("button"),
          .href(list.map { .randomListed($0) } ?? .random),
          .label("Random comic"),
          Attribute("rel", "nofollow")
        ) {
          Icon.random.html(named: "Random comic")
        }
        " "
        step("Next comic", icon: .next, to: next, else: latestReason)
        " "
        step("Latest comic", icon: .latest, to: latest, by: isFile ? .latest : nil, else: latestReason)
      }
      div(.class("to-any")) {
        NumberForm(typed: .empty).html
        a(
          .class("chip"),
          Attribute("href", "#number"),
          isFile ? .none : Attribute("data-latest", newest.value)
        ) {
          strong { current.map { Text(decimal: $0.value) } ?? "404" }
          if !isFile { " of " + Text(decimal: newest.value) }
        }
        " "
        a(.class("button"), .href(.overview(.init())), .label("All comics")) {
          Icon.grid.html(named: "All comics")
        }
      }
    }
  }

  /// A link to a comic; without a target it is disabled and says why.
  ///
  /// - Parameter link: the link, if it isn't the comic's own address.
  private func step(
    _ name: Text,
    icon: Icon,
    to number: Comic.Number?,
    by link: Link? = nil,
    else reason: Text
  ) -> HTML {
    guard let number else {
      return a(
        .class("button"),
        .role("link"),
        Attribute("aria-disabled", "true"),
        Attribute("tabindex", "0"),
        .label(name),
        .title(reason)
      ) { icon.html(named: name) }
    }
    return a(.class("button"), .href(link ?? .comic(number, in: list)), .label(name)) {
      icon.html(named: name)
    }
  }
}
