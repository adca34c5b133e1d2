// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// What a reader gets: a page, or an address to go to.
public struct Response: Equatable, Sendable {
  /// How long an answer may be kept by whoever passes it on.
  public enum Keeping: Equatable, Sendable {
    /// Ask again each time, but with the validator of what is kept.
    case revalidate
    /// Not at all: it is by chance.
    case never
  }

  /// The HTTP status.
  public var status: Int
  /// The page, as UTF-8 HTML; empty for a redirect.
  public var body: [UInt8]
  /// Where to go instead, or empty.
  public var location: Text
  /// How long the answer may be kept.
  public var keeping: Keeping
  /// The comic that the page shows, where it shows one.
  var viewed: Comic.Number?
  /// What the page lacks and the host may be able to fetch; it may then ask again.
  public var needs: [Need]
  /// Whether a host that has more, or newer things, may have another answer: nothing is known here of the address.
  public private(set) var isUnknownHere = false

  /// A page.
  init(status: Int = 200, page: HTML, viewed: Comic.Number? = nil, needs: [Need] = []) {
    self.status = status
    self.body = page.bytes
    self.location = .empty
    self.keeping = .revalidate
    self.viewed = viewed
    self.needs = needs
  }

  /// A page that says that nothing is known of the address.
  init(unknownHere status: Int, page: HTML) {
    self.init(status: status, page: page)
    isUnknownHere = true
  }

  /// A redirect: 301 for good, 303 for this once.
  init(redirect status: Int, to link: Link) {
    self.status = status
    self.body = []
    self.location = link.address
    self.keeping = status == 301 ? .revalidate : .never
    self.needs = []
  }
}

/// Something that a page would show if the host had it.
public enum Need: Equatable, Sendable {
  /// The newest comic, where nothing is known of any.
  case latest
  /// The text of a comic.
  case comic(Comic.Number)
  /// The facts of a comic's picture, so that its place can be laid out.
  case picture(Comic.Number)
  /// The beginning of a comic's explanation, where it is at hand, to be put on the ``Shelf``: nobody should wait for it.
  case explanation(Comic.Number)
  /// What a search comes to: to be put on the ``Shelf``.
  case search(SearchQuestion)
}
