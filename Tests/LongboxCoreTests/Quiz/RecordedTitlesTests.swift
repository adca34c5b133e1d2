// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import TestSupport
import Testing

/// Every album with tracks in iTunes' recorded replies, with five misspellings of each title.
@Suite(.enabled(if: RecordedData.isPresent, "needs the recorded data that LONGBOX_SHARED names"))
struct RecordedTitlesTests {
  @Test(arguments: [RecordedAlbums.Name.track, .censored, .album])
  func `match every misspelling, and no other track`(name: RecordedAlbums.Name) throws {
    let albums = try RecordedAlbums.all(name)
    var spellings = 0
    var tracks = 0
    for album in albums {
      let matcher = TitleMatcher(titles: album.titles.map { Text(string: $0) })
      for (index, title) in album.titles.enumerated() {
        tracks += 1
        for spelling in SpoiledTitle.spellings(of: title, seed: UInt64(index)) {
          spellings += 1
          check(spelling, of: index, in: album, matcher)
        }
      }
    }
    print("\(albums.count) albums, \(tracks) tracks, \(spellings) spellings by \(name) name")
    #expect(tracks > 400 && spellings > tracks * 8)
  }

  @Test func `do not match tracks of other albums with different titles`() throws {
    let albums = try RecordedAlbums.all(.track).filter { $0.titles.count > 4 }
    let titles = Set(albums.flatMap(\.titles)).sorted().map { ($0, SpoiledTitle.names(of: $0)) }
    var asked = 0
    for album in albums {
      let matcher = TitleMatcher(titles: album.titles.map { Text(string: $0) })
      let own = Set(album.titles.flatMap(SpoiledTitle.names))
      for (title, names) in titles where own.isDisjoint(with: names) {
        asked += 1
        let match = matcher.match(Text(string: title))
        #expect(match == .none, "\(title) in \(album.name)")
      }
    }
    print("\(asked) titles asked of albums that lack them")
    #expect(asked > 1000)
  }

  private func check(
    _ spelling: String,
    of index: Int,
    in album: RecordedAlbums.Album,
    _ matcher: TitleMatcher
  ) {
    guard case .tracks(let found) = matcher.match(Text(string: spelling)) else {
      Issue.record("“\(spelling)” is not taken for “\(album.titles[index])” in \(album.name)")
      return
    }
    #expect(found.contains(index), "“\(spelling)” for “\(album.titles[index])” in \(album.name)")
    guard found.count > 1 else { return }
    let own = Set(SpoiledTitle.names(of: album.titles[index]))
    for other in found where other != index {
      #expect(
        !own.isDisjoint(with: SpoiledTitle.names(of: album.titles[other])),
        "“\(spelling)” of “\(album.titles[index])” is taken for “\(album.titles[other])” in \(album.name)"
      )
    }
  }
}

/// The albums in iTunes' recorded replies.
enum RecordedAlbums {
  /// The names that serve as titles: one of a track's two names, or the names of an artist's albums.
  enum Name { case track, censored, album }

  struct Album {
    var name: String
    var titles: [String]
  }

  private struct Reply: Decodable {
    var results: [Row]
  }

  private static func recordedRows() throws -> [Row] {
    guard let folder = RecordedData.folder?.appending(path: "itunes") else { return [] }
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "json" && $0.lastPathComponent != "index.json" }
      // Sorted by name, because the spellings of a title depend on its place.
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
      .flatMap { try JSONDecoder().decode(Reply.self, from: Data(contentsOf: $0)).results }
  }

  private struct Row: Decodable {
    var kind: String?
    var artistId: Int?
    var artistName: String?
    var collectionId: Int?
    var collectionName: String?
    var trackId: Int?
    var trackName: String?
    var trackCensoredName: String?
    var discNumber: Int?
    var trackNumber: Int?

    func title(_ name: Name) -> String? {
      switch name {
      case .track: trackName
      case .censored: trackCensoredName
      case .album: collectionName
      }
    }
  }

  static func all(_ name: Name) throws -> [Album] {
    var rows: [Int: [Int: Row]] = [:]
    for row in try recordedRows() {
      guard let album = row.collectionId else { continue }
      if name == .album, let artist = row.artistId {
        rows[artist, default: [:]][album] = row
      } else if name != .album, row.kind == "song", let track = row.trackId {
        rows[album, default: [:]][track] = row
      }
    }
    return rows.sorted { $0.key < $1.key }.map { _, tracks in
      // Albums have no track numbers, so their ids keep the order the same in each run.
      let ordered = tracks.sorted {
        ($0.value.discNumber ?? 0, $0.value.trackNumber ?? 0, $0.key)
          < ($1.value.discNumber ?? 0, $1.value.trackNumber ?? 0, $1.key)
      }
      .map(\.value)
      return Album(
        name: (name == .album ? ordered.first?.artistName : ordered.first?.collectionName) ?? "",
        titles: ordered.compactMap { $0.title(name) }
      )
    }
  }
}
