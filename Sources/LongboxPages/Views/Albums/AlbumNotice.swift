// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// Why what a page about albums should show is not there, or is old.
public enum AlbumNotice: Equatable, Sendable {
  /// The question is in line, and will be answered in about so many seconds.
  case waiting(seconds: Int)
  /// It could not be answered; a sentence says why, and the HTTP status whose fault that is.
  case failed(Text, status: Int = 503)
  /// There is no such thing.
  case absent
  /// It is as of a minute, spelled in words, and the store gave nothing newer.
  case old(since: Text)

  /// The HTTP status of a page that has nothing else to show.
  var status: Int {
    switch self {
    case .waiting, .old: 200
    case .failed(_, let status): status
    case .absent: 404
    }
  }

  /// After how many seconds the page should be loaded again, where that helps.
  public var reload: Int? {
    guard case .waiting(let seconds) = self else { return nil }
    // A long wait is looked after now and then: others may leave the line.
    return min(seconds + 1, 15)
  }

  /// What the page says.
  /// - Parameters:
  ///   - thing: what is missing, as the beginning of a sentence.
  ///   - again: the page itself.
  func html(about thing: Text, again: Link) -> HTML {
    switch self {
    case .waiting(let seconds): waiting(seconds, again)
    case .failed(let reason, _):
      div(.class("message")) {
        p(.role("alert")) { reason }
        ul(.class("ways")) {
          li { a(.href(again)) { "Try again" } }
          li { a(.href(.savedAlbums)) { "Saved albums" } }
        }
      }
    case .absent:
      div(.class("message")) {
        p(.role("alert")) { thing + " is not in this country’s store." }
        ul(.class("ways")) { li { a(.href(.artists(.empty, nil))) { "Change artist" } } }
      }
    case .old(let since):
      p(.class("note")) { "As of " + since + ": the iTunes Store has not answered since." }
    }
  }

  private func waiting(_ seconds: Int, _ again: Link) -> HTML {
    div(.class("message")) {
      p(.role("status"), .class("waiting")) {
        "The iTunes Store takes so many questions a minute. Yours is in line, and will be answered in "
        strong { Text(decimal: seconds) + (seconds == 1 ? " second" : " seconds") }
        ". This page then loads itself."
      }
      ul(.class("ways")) {
        li { a(.href(again)) { "Look now" } }
        li { a(.href(.artists(.empty, nil))) { "Cancel" } }
        li { a(.href(.savedAlbums)) { "Saved albums" } }
      }
      div(.class("skeleton"), Attribute("aria-hidden", "true")) {
        for _ in 0..<4 { div {} }
      }
    }
  }
}
