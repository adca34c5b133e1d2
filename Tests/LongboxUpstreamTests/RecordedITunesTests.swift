// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import TestSupport
import Testing

@testable import LongboxUpstream

@Suite(
  "Recorded replies of the iTunes Store",
  .enabled(if: RecordedData.isPresent, "needs the recorded data that LONGBOX_SHARED names")
)
struct RecordedITunesTests {
  private func reply(_ name: String) throws -> ITunesReply {
    let folder = try #require(RecordedData.folder)
    return try ITunesReply(json: Array(Data(contentsOf: folder.appending(path: "itunes/\(name).json"))))
  }

  @Test func `are all read`() throws {
    let folder = try #require(RecordedData.folder).appending(path: "itunes")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".json") && $0 != "index.json"
    }
    #expect(names.count > 40)
    for name in names {
      _ = try reply(String(name.dropLast(5)))
    }
  }

  @Test(
    arguments: [
      ("the-beatles_please-please-me_lookup-songs", 1_441_164_816, [14], 0),
      ("queen_a-night-at-the-opera-deluxe_lookup-songs", 1_441_458_047, [12, 6], 0),
      ("various-artists_hits-of-the-90s_lookup-songs", 255_636_575, [19], 4),
      ("dreamcatcher_nightmare-escape-the-era_lookup-songs", 1_728_639_278, [6], 0),
      ("slayer_reign-in-blood_lookup-songs", 1_038_991_417, [10], 0),
      ("bon-jovi_greatest-hits_lookup-songs_cut", 1_484_688_048, [16], 12),
    ] as [(String, UInt64, [Int], Int)]
  )
  func `have their tracks in order, with gaps`(name: String, album: UInt64, places: [Int], gaps: Int)
    throws
  {
    let id = try #require(StoreID(album))
    let details = try #require(try reply(name).album(id, in: .unitedStates))
    #expect(details.tracks.discs.map(\.positions.count) == places)
    #expect(details.tracks.gapCount == gaps)
    #expect(details.tracks.tracks.allSatisfy { $0.milliseconds > 10_000 })
  }

  @Test func `group explicit and clean copies`() throws {
    let albums = try reply("kendrick-lamar_search-albums").albums(in: .unitedStates)
    let discography = Discography(artist: nil, albums: albums)
    #expect(albums.count == 37)
    #expect(discography.entries.count < 30)
    let damn = discography.entries.filter { $0.album.name.full == "DAMN." }
    #expect(damn.map(\.album.explicitness) == [.explicit])
    #expect(damn.map(\.copies.count) == [1])
  }

  @Test func `distinguish singles, EPs and editions`() throws {
    let folder = try #require(RecordedData.folder).appending(path: "itunes")
    var kinds: [AlbumKind: Int] = [:]
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    where file.pathExtension == "json" && file.lastPathComponent != "index.json" {
      let albums = try ITunesReply(json: Array(Data(contentsOf: file))).albums(in: .unitedStates)
      for album in albums { kinds[album.kind, default: 0] += 1 }
    }
    print("recorded albums by kind:", kinds)
    #expect((kinds[.single] ?? 0) > 80)
    #expect((kinds[.ep] ?? 0) > 5)
    #expect((kinds[.live] ?? 0) > 5)
  }
}
