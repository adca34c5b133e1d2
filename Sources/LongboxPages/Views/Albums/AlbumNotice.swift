// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// Why a page's album data is missing or old.
public enum AlbumNotice: Equatable, Sendable {
  /// The request is queued; the value estimates the wait.
  case waiting(seconds: Int)
  /// It failed; a sentence says why.
  case failed(Text, status: Int = 503)
  /// It doesn't exist.
  case absent
  /// The data is old, from a time spelled in words.
  case old(since: Text)

  /// The HTTP status of a page without data.
  var status: Int {
    switch self {
    case .waiting, .old: 200
    case .failed(_, let status): status
    case .absent: 404
    }
  }

  /// The number of seconds after which to reload the page; nil if reloading doesn't help.
  public var reload: Int? {
    guard case .waiting(let seconds) = self else { return nil }
    // Check again early, because requests ahead may be cancelled.
    return min(seconds + 1, 15)
  }

  /// The message.
  /// - Parameters:
  ///   - thing: what it is about, at the start of a sentence.
  ///   - country: the country of the store that was asked.
  ///   - again: the page itself.
  func html(about thing: Text, in country: StoreCountry, again: Link) -> HTML {
    switch self {
    case .waiting(let seconds): waiting(seconds, again)
    case .failed(let reason, _):
      div(.class("message")) {
        p(.role("alert")) { reason }
        ul(.class("links")) {
          li { a(.href(again)) { "Try again" } }
          li { a(.href(.savedAlbums)) { "Saved albums" } }
        }
      }
    case .absent:
      div(.class("message empty")) {
        Drawing.boxWithGap.html
        p(.role("alert")) { thing + " is not in the " + country.name + " store." }
        otherCountries(country, again)
        ul(.class("links")) {
          li { a(.href(.artists(.empty, nil))) { "Change artist" } }
          li { a(.href(.savedAlbums)) { "Saved albums" } }
        }
      }
    case .old(let since):
      p(.class("note")) { "From " + since + ". iTunes has not answered since." }
    }
  }

  /// A form that leads to the same page of another country's store.
  private func otherCountries(_ country: StoreCountry, _ page: Link) -> HTML {
    let path = Text(page.address.bytes.prefix { $0 != UInt8(ascii: "?") })
    return form(.class("artist-box"), .action(.local(path)), Attribute("method", "get")) {
      CountryField(country: country).html
      div { button(.class("button"), Attribute("type", "submit")) { "Look in this store" } }
    }
  }

  private func waiting(_ seconds: Int, _ again: Link) -> HTML {
    div(.class("message")) {
      p(.role("status"), .class("waiting")) {
        "iTunes limits searches per minute. Yours runs in "
        strong { counted(seconds, "second", "seconds") }
        "."
      }
      ul(.class("links")) {
        li { a(.href(again)) { "Try now" } }
        li { a(.href(.artists(.empty, nil))) { "Cancel" } }
        li { a(.href(.savedAlbums)) { "Saved albums" } }
      }
      div(.class("skeleton"), Attribute("aria-hidden", "true")) {
        for _ in 0..<4 { div {} }
      }
    }
  }
}
