// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCatalog
import LongboxCore
import LongboxPages

/// A feed of comics, independent of the format.
///
/// All addresses are absolute.
struct Feed: Equatable, Sendable {
  struct Author: Equatable, Sendable {
    var name: String
    var address: String?
  }

  /// A permanent identifier, independent of the server's address.
  var id: String
  var title: String
  var subtitle: String?
  var updated: Date
  /// The page with the same content.
  var page: String
  var address: String
  /// The address of the older entries (RFC 5005, section 3).
  var next: String?
  var icon: String
  var author: Author
  var rights: Rights
  var entries: [FeedEntry]
}

/// The copyright notice and the address of the licence.
struct Rights: Equatable, Sendable {
  var words: String
  var licence: String?
}

struct FeedEntry: Equatable, Sendable {
  /// A picture on this server.
  struct Picture: Equatable, Sendable {
    var address: String
    var mediaType: String?
    var byteCount: Int?
  }

  var number: Comic.Number
  /// A permanent identifier, independent of the server's address.
  var id: String
  var title: String
  /// The comic's page on this server.
  var page: String
  /// The comic's page on xkcd.com; nil for samples.
  var original: String?
  var published: Date
  var updated: Date
  var summary: String
  /// Picture, texts and credits.
  var html: String
  var picture: Picture?
}

extension Feed {
  struct Name {
    /// The name that the identifier is derived from, or the identifier itself if it is a URN.
    var id: String
    var title: String
    var subtitle: String
    /// The creation date, for a feed without entries.
    var updated: Date?
  }

  struct Location {
    /// Scheme, host, port and base path of this server.
    var origin: String
    /// The page with the same content.
    var page: Link
    /// The feed with its newest entries.
    var link: Link
    /// What to append to the address for this page of the feed; nil for the first page.
    var parameter: String?
    /// What to append to the address for the next page, if there is one.
    var next: String?
  }

  init(_ entries: [FeedEntry], in archive: Archive, named name: Name, at location: Location) {
    let series = archive.series
    let link = location.origin + location.link.address.description
    id = name.id.hasPrefix("urn:") ? name.id : StableIdentifier.of("feed/\(series.feedPrefix)\(name.id)")
    title = name.title.replacing("xkcd", with: series.name).withoutMarkup
    subtitle = name.subtitle
    updated =
      entries.map(\.updated).max() ?? name.updated ?? archive.latest?.date?.startOfDayInUTC
      ?? Date(timeIntervalSince1970: 0)
    page = location.origin + location.page.address.description
    address = link + (location.parameter ?? "")
    next = location.next.map { link + $0 }
    icon = location.origin + Link.asset("icon-180.png", version: .empty).address.description
    author = series.author
    rights = series.rights
    self.entries = entries
  }
}

extension FeedEntry {
  init(_ comic: ArchivedComic, in archive: Archive, changed: Date?, origin: String) {
    let content = FeedContent(comic, in: archive, origin: Text(string: origin))
    original = archive.series.page(of: comic.number)
    number = comic.number
    id = original ?? StableIdentifier.of("sample/\(comic.number.value)")
    title = content.title.description.withoutMarkup
    page = origin + Link.comic(comic.number).address.description
    published = comic.date?.startOfDayInUTC ?? Date(timeIntervalSince1970: 0)
    updated = max(published, changed ?? published)
    summary = comic.alt.description
    // All addresses in it are full ones.
    html = content.html.string(below: .empty)
    picture = content.picture.map { address in
      Picture(
        address: address.description,
        mediaType: content.pictureFacts?.format.mediaType,
        byteCount: content.pictureFacts?.byteCount
      )
    }
  }
}

extension String {
  /// The text without anything that HTML takes for a tag or a character reference.
  ///
  /// Titles of feeds are text, but many feed readers take them for HTML, and drop what looks like a tag. Angle quotation
  /// marks in place of `<` and `>`, and an invisible word joiner after `&`, read alike in both.
  var withoutMarkup: String {
    let scalars = unicodeScalars
    let hasTags = scalars.contains("<")
    guard hasTags || scalars.contains("&") else { return self }
    var result = String.UnicodeScalarView()
    for index in scalars.indices {
      switch scalars[index] {
      case "<": result.append("\u{2039}")
      case ">" where hasTags: result.append("\u{203A}")
      case "&":
        result.append("&")
        let rest = scalars[index...].dropFirst()
        let name = rest.prefix {
          $0 == "#" || ($0.isASCII && $0.properties.isAlphabetic) || ("0"..."9").contains($0)
        }
        if !name.isEmpty, rest[name.endIndex...].first == ";" { result.append("\u{2060}") }
      case let scalar: result.append(scalar)
      }
    }
    return String(result)
  }
}

extension PictureFacts.Format {
  var mediaType: String {
    switch self {
    case .png: "image/png"
    case .jpeg: "image/jpeg"
    case .gif: "image/gif"
    }
  }
}

/// The series that an archive holds, with its author and licence.
struct Series: Equatable, Sendable {
  var name: String
  var author: Feed.Author
  var rights: Rights
  /// The prefix for the identifiers of its feeds, so that those of two series differ.
  var feedPrefix: String
  /// The prefix for the names of its comic books.
  var filePrefix: String
  /// Whether its comics have pages on xkcd.com.
  private var isOnTheWeb: Bool

  static let xkcd = Series(
    name: "xkcd",
    author: Feed.Author(name: "Randall Munroe", address: "https://xkcd.com/"),
    rights: Rights(
      words: "xkcd by Randall Munroe, CC BY-NC 2.5",
      licence: Link.xkcdLicence.address.description
    ),
    feedPrefix: "",
    filePrefix: "xkcd-",
    isOnTheWeb: true
  )

  /// The project's own samples.
  static let samples = Series(
    name: "Longbox samples",
    author: Feed.Author(name: "Longbox"),
    rights: Rights(words: "Samples drawn for Longbox, MIT licence"),
    feedPrefix: "samples/",
    filePrefix: "longbox-sample-",
    isOnTheWeb: false
  )

  /// The comic's page on xkcd.com.
  func page(of number: Comic.Number) -> String? {
    isOnTheWeb ? Link.xkcd(number).address.description : nil
  }

  /// The comic's page on explain xkcd.
  func explanationPage(of number: Comic.Number) -> String? {
    isOnTheWeb ? Link.explainXkcd(number).address.description : nil
  }
}

extension Archive {
  var series: Series { isSampleBox ? .samples : .xkcd }
}

/// Identifiers of feeds and entries, independent of the server's address (RFC 4287, section 4.2.6).
enum StableIdentifier {
  /// A UUID of version 8 (RFC 9562, section 5.8) from two hashes of a name: the same name gives the same
  /// identifier.
  static func of(_ name: String) -> String {
    let name = Array("longbox/\(name)".utf8)
    let words = [0, 1].map { XXH64.hash(name.span.bytes, seed: $0) }
    var bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return of(bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
  }

  /// A UUID as a URN (RFC 9562, section 4).
  static func of(_ uuid: UUID) -> String { "urn:uuid:\(uuid.uuidString.lowercased())" }
}
