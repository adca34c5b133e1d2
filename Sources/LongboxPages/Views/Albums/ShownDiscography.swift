// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// A filter for an artist's albums.
public enum AlbumSelection: CaseIterable, Equatable, Sendable {
  /// All kinds.
  case all
  /// Albums and compilations.
  case albums
  case eps
  case singles
  case live

  /// The word in an address; empty for all albums.
  private var word: Text {
    switch self {
    case .all: .empty
    case .albums: "albums"
    case .eps: "eps"
    case .singles: "singles"
    case .live: "live"
    }
  }

  /// The query field; empty for all albums.
  var field: Text { self == .all ? .empty : "show=" + word }
}

extension AlbumSelection {
  /// Parses the word in an address.
  public init?(word: Text) {
    guard let kind = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = kind
  }

  var name: Text {
    switch self {
    case .all: "All"
    case .albums: "Albums"
    case .eps: "EPs"
    case .singles: "Singles"
    case .live: "Live"
    }
  }

  func shows(_ album: Album) -> Bool {
    switch (self, album.kind) {
    case (.all, _), (.albums, .album), (.albums, .compilation): true
    case (.eps, .ep), (.singles, .single), (.live, .live): true
    default: false
    }
  }
}

/// An artist's albums, by year.
public struct ShownDiscography: Equatable, Sendable {
  /// The artist's identifier.
  public var id: StoreID
  public var country: StoreCountry
  public var kind: AlbumSelection
  /// The albums, if known.
  public var discography: Discography?
  /// Why the data is missing or old.
  public var notice: AlbumNotice?
  public var showsCovers: Bool
  /// Whether the artist is from the sample box.
  public var isSample: Bool

  public init(
    id: StoreID,
    country: StoreCountry,
    kind: AlbumSelection = .all,
    discography: Discography? = nil,
    notice: AlbumNotice? = nil,
    showsCovers: Bool = true,
    isSample: Bool = false
  ) {
    self.id = id
    self.country = country
    self.kind = kind
    self.discography = discography
    self.notice = notice
    self.showsCovers = showsCovers
    self.isSample = isSample
  }

  public var page: AlbumPage {
    let again = Link.discography(id, country, kind)
    let body = change + (notice?.html(about: "This artist", in: country, again: again) ?? HTML())
    guard let discography else {
      return AlbumPage(name: "Albums", body: body, status: notice?.status ?? 200, reload: notice?.reload)
    }
    var page = AlbumPage(
      name: discography.artist?.name ?? discography.entries.first?.album.artist ?? "Albums",
      body: body + choices(discography) + list(discography) + AlbumCredit.html(isSample: isSample),
      reload: notice?.reload
    )
    page.artist = discography.artist.map { RecentArtist(id: id, country: country, name: $0.name) }
    return page
  }

  private var change: HTML {
    ul(.class("links")) {
      li { a(.href(.artists(.empty, country))) { "Change artist" } }
      li { a(.href(.savedAlbums)) { "Saved albums" } }
    }
  }

  private func choices(_ discography: Discography) -> HTML {
    div(.class("choices")) {
      nav(.label("Kinds of albums")) {
        for choice in AlbumSelection.allCases {
          let count = discography.entries.count { choice.shows($0.album) }
          if count > 0 || choice == kind {
            a(
              .class("button"),
              .href(.discography(id, country, choice)),
              choice == kind ? Attribute("aria-current", "true") : .none
            ) { choice.name + " (" + Text(decimal: count) + ")" }
            " "
          }
        }
      }
    }
  }

  @HTMLBuilder private func list(_ discography: Discography) -> HTML {
    let entries = discography.entries.filter { kind.shows($0.album) }
    if entries.isEmpty {
      p(.class("note")) { "No albums of this kind." }
    } else {
      ol(.class("sleeves"), .label("Albums")) {
        for entry in entries { card(entry, of: discography.artist) }
      }
    }
  }

  private func card(_ entry: Discography.Entry, of artist: Artist?) -> HTML {
    let album = entry.album
    return li {
      a(.href(.album(album.id, country))) {
        if showsCovers { AlbumCover(album: album.id, isSmall: true).html }
        span(.class("name")) { bdi { album.name.full } }
      }
      span(.class("by")) {
        if let year = album.released?.year { Text(decimal: year) }
        if album.artist != artist?.name ?? album.artist {
          "\u{A0}· "
          bdi { album.artist }
        }
        if album.explicitness == .explicit { "\u{A0}· explicit" }
        if album.explicitness == .cleaned { "\u{A0}· clean" }
      }
      for copy in entry.copies {
        span(.class("by")) {
          a(.href(.album(copy.id, country)), .label(copyName(copy) + " of " + album.name.full)) {
            copyName(copy)
          }
        }
      }
    }
  }

  /// The difference between a copy and the shown album.
  private func copyName(_ copy: Album) -> Text {
    let count = counted(copy.trackCount, "track", "tracks")
    return switch copy.explicitness {
    case .explicit: "Explicit version, " + count
    case .cleaned: "Clean version, " + count
    case .notExplicit: "Version with " + count
    }
  }
}
