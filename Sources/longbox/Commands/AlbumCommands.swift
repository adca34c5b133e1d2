// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import LongboxCatalog
import LongboxCore

struct AlbumCommands: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "albums",
    abstract: "Find artists and albums, and keep albums in your library.",
    discussion: """
      The iTunes Store is asked for what is not stored yet, at most fifteen times a minute.

        longbox albums search sault
        longbox albums show 1440857781
        longbox albums save 1440857781
        longbox albums list
      """,
    subcommands: [Search.self, Show.self, Save.self, Remove.self, List.self],
    defaultSubcommand: List.self
  )

  struct Search: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Find an artist's albums.",
      discussion:
        "Lists the albums of the best match, and the other artists that match. Exits with 1 if there is none."
    )

    @Argument(help: "The artist's name.")
    var words: [String] = []

    @Option(help: ArgumentHelp("The artist with this number, in place of a name.", valueName: "number"))
    var artist: UInt64?

    @OptionGroup var country: CountryOption
    @OptionGroup var reader: ReaderOptions

    func validate() throws {
      guard words.isEmpty != (artist == nil) else {
        throw ValidationError("Give the name of an artist, or --artist with a number.")
      }
    }

    private struct Report: Encodable {
      var artist: AlbumJSON.Artist?
      var albums: [AlbumJSON.Album]
      var others: [AlbumJSON.Artist]
    }

    func run() async throws {
      try await reportingErrors {
        let context = try await ReaderContext(reader)
        let source = try await context.albums(reader)
        let named = country.country
        var artists: [AlbumJSON.Artist] = []
        if !words.isEmpty {
          artists = try await source.artists(named: words.joined(separator: " "), in: named).artists
        }
        guard let id = (artist ?? artists.first?.id).flatMap({ StoreID($0) }) else {
          if reader.json { try context.console.writeJSON(Report(artist: nil, albums: [], others: [])) }
          Console.remark("No artist was found. Try fewer words.")
          throw ExitCode(1)
        }
        let found = try await source.discography(of: id, in: named)
        let shown = found.artist ?? artists.first
        let report = Report(artist: shown, albums: found.albums, others: Array(artists.dropFirst().prefix(9)))
        if reader.json { return try context.console.writeJSON(report) }
        context.console.write(shown?.name ?? "Artist \(id.value)", .bold)
        for album in report.albums { context.console.writeEntry(album.line) }
        context.console.write(report.albums.count == 1 ? "1 album." : "\(report.albums.count) albums.")
        if !report.others.isEmpty {
          let others = report.others.map { "\($0.name) (--artist \($0.id))" }
          context.console.write("Others: \(others.joined(separator: ", "))", .faint)
        }
      }
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the songs of an album.")

    @Argument(help: ArgumentHelp("The number that a search gives.", valueName: "album"))
    var album: AlbumNumber

    @OptionGroup var country: CountryOption
    @OptionGroup var reader: ReaderOptions

    func run() async throws {
      try await reportingErrors {
        let context = try await ReaderContext(reader)
        let details = try await context.albums(reader).album(album.id, in: country.country)
        if reader.json { return try context.console.writeJSON(details) }
        let album = details.album
        context.console.write("\(album.artist): \(album.name)\(album.year.map { " (\($0))" } ?? "")", .bold)
        let discs = Set(details.tracks.map(\.disc)).count
        for track in details.tracks {
          let number = discs > 1 ? "\(track.disc).\(track.number)" : "\(track.number)"
          let length = track.milliseconds.map { "  \(Text(duration: UInt64(max($0, 0))))" } ?? ""
          context.console.writeEntry("\(number). \(track.title)\(length)", indent: "  ")
        }
        context.console.write("From the iTunes Store. “longbox quiz \(album.id)” asks for the songs.", .faint)
      }
    }
  }

  struct Save: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Save an album in your library.")

    @Argument(help: ArgumentHelp("The number that a search gives.", valueName: "album"))
    var album: AlbumNumber

    @OptionGroup var country: CountryOption
    @OptionGroup var reader: ReaderOptions

    func run() async throws {
      try await reportingErrors {
        let context = try await ReaderContext(reader)
        let album = try await context.albums(reader).album(album.id, in: country.country).album
        guard let saved = album.saved else {
          throw ReaderError.malformed("The name of this album is too long to be saved.")
        }
        let now = context.now()
        try await context.library.edit { replica in
          try replica.library.save(saved, at: replica.editTime(at: now))
        }
        if reader.json { return try context.console.writeJSON(album) }
        context.console.write("Saved: \(album.line)")
      }
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Remove an album from your library.")

    @Argument(help: ArgumentHelp("The number of the album.", valueName: "album"))
    var album: AlbumNumber

    @OptionGroup var reader: ReaderOptions

    private struct Report: Encodable {
      var removed: UInt64
    }

    func run() async throws {
      try await reportingErrors {
        let context = try await ReaderContext(reader)
        let (id, now) = (album.id, context.now())
        try await context.library.edit { replica in
          try replica.library.removeAlbum(id, at: replica.editTime(at: now))
        }
        if reader.json { return try context.console.writeJSON(Report(removed: id.value)) }
        context.console.write("Removed from your library: \(id.value).")
      }
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List your saved albums.")

    @OptionGroup var reader: ReaderOptions

    func run() async throws {
      try await reportingErrors {
        let context = try await ReaderContext(reader)
        let albums = try await context.library.current().savedAlbums
        let report = AlbumReport(albums, limit: albums.count)
        if reader.json { return try context.console.writeJSON(report) }
        for album in report.albums {
          let year = album.year.map { " (\($0))" } ?? ""
          context.console.writeEntry("\(album.id)  \(album.artist): \(album.name)\(year)")
        }
        context.console.write(albums.count == 1 ? "1 album." : "\(albums.count) albums.")
      }
    }
  }
}

struct AlbumReport: Encodable {
  struct Hit: Encodable {
    var id: UInt64
    var country: String
    var name: String
    var artist: String
    var year: Int?
  }

  let total: Int
  let albums: [Hit]

  init(_ albums: [SavedAlbum], limit: Int) {
    total = albums.count
    self.albums = albums.prefix(limit).map { album in
      Hit(
        id: album.id.value,
        country: album.country.text.description,
        name: album.name.description,
        artist: album.artist.description,
        year: album.year == 0 ? nil : album.year
      )
    }
  }

  /// A line for each album, and one with the total.
  var lines: [String] {
    var lines = albums.map { album in
      "\(album.artist): \(album.name)\(album.year.map { " (\($0))" } ?? ""), /albums/\(album.id)?country=\(album.country)"
    }
    switch total {
    case 0: lines.append("No albums.")
    case 1: lines.append("1 album.")
    case albums.count: lines.append("\(total) albums.")
    default: lines.append("\(total) albums, of which \(albums.count) are shown; --limit shows more.")
    }
    return lines
  }
}

extension AlbumJSON.Album {
  /// The album in a list: its number, name and year.
  fileprivate var line: String { "\(id)  \(name)\(year.map { " (\($0))" } ?? "")" }

  /// The album as a library keeps it; nil if a name is too long.
  fileprivate var saved: SavedAlbum? {
    guard let id = StoreID(id), let country = StoreCountry(Text(string: country)) else { return nil }
    return SavedAlbum(
      id: id,
      country: country,
      year: year ?? 0,
      name: Text(string: name),
      artist: Text(string: artist)
    )
  }
}
