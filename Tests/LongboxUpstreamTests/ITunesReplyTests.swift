// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

@testable import LongboxUpstream

@Suite("A reply of the iTunes Store") struct ITunesReplyTests {
  /// Made-up rows with the irregularities of real ones: out of order, with a video, a gap, a row of another album, one that is
  /// not an object, and one with wrong types of fields.
  private static let reply = """


    {"resultCount": 99, "results": [
    {"wrapperType":"collection","collectionType":"Album","artistId":7,"collectionId":70,"artistName":"The Lamps",
     "collectionName":"Wick (Deluxe Edition)","collectionExplicitness":"explicit","trackCount":6,"copyright":"℗ Lamps",
     "artworkUrl100":"https://is1-ssl.mzstatic.com/w/100x100bb.jpg","releaseDate":"1975-11-21T08:00:00Z",
     "collectionViewUrl":"https://music.apple.com/gb/album/wick/70?uo=4","primaryGenreName":"Rock"},
    {"wrapperType":"track","kind":"music-video","collectionId":70,"trackId":9,"trackName":"Wick","discNumber":1,
     "trackNumber":3,"trackCount":6},
    {"wrapperType":"track","kind":"song","artistId":7,"collectionId":70,"trackId":2,"artistName":"The Lamps",
     "trackName":"Glow","trackCensoredName":"Glow (Long Mix)","discNumber":1,"trackNumber":2,"trackCount":4,
     "trackTimeMillis":61000},
    {"wrapperType":"track","kind":"song","artistId":8,"collectionId":70,"trackId":1,"artistName":"The Lamps & Pim",
     "trackName":"F*** Off Moth","trackCensoredName":"F**k Off Moth","discNumber":1,"trackNumber":1,"trackCount":4,
     "trackTimeMillis":-5},
    {"wrapperType":"track","kind":"song","collectionId":71,"trackId":5,"trackName":"Other","discNumber":1,"trackNumber":1},
    "nonsense", null, {"wrapperType":"collection","collectionId":"x","collectionName":5},
    {"wrapperType":"track","kind":"feature-movie","collectionId":70,"trackId":6,"trackName":"Film","trackNumber":9}
    ]}
    """

  @Test func `is read row by row, whatever else it holds`() throws {
    let reply = try ITunesReply(json: Array(Self.reply.utf8))
    let id = try #require(StoreID(70))
    let details = try #require(reply.album(id, in: .unitedStates))
    #expect(details.album.name.edition == "Deluxe Edition")
    #expect(details.album.explicitness == .explicit)
    #expect(details.album.released == CalendarDate(year: 1975, month: 11, day: 21))
    #expect(details.album.storeAddress == "https://music.apple.com/gb/album/wick/70?uo=4")
    #expect(details.tracks.tracks.map(\.title) == ["F*** Off Moth", "Glow (Long Mix)"])
    #expect(details.tracks.tracks.map(\.artist) == ["The Lamps & Pim", ""])
    #expect(details.tracks.tracks.map(\.milliseconds) == [0, 61_000])
    #expect(details.tracks.discs[0].positions.last == .gap(number: 4))
    #expect(details.tracks.gapCount == 1)
    #expect(reply.album(try #require(StoreID(71)), in: .unitedStates) == nil)
  }

  /// A box of discs with twelve tracks each; the third track of each disc is not sold.
  private func box(discs: Int) throws -> AlbumDetails? {
    let all = (0..<(discs * 12)).filter { $0 % 12 != 2 }
    let songs = all.prefix(199).map { place in
      """
      {"wrapperType":"track","kind":"song","collectionId":70,"trackId":\(place + 1),"trackName":"Song",\
      "discNumber":\(place / 12 + 1),"trackNumber":\(place % 12 + 1),"trackCount":12}
      """
    }
    let album = """
      {"wrapperType":"collection","collectionId":70,"collectionName":"Box","trackCount":\(discs * 12)}
      """
    let reply = try ITunesReply(
      json: Array("{\"results\":[\(([album] + songs).joined(separator: ","))]}".utf8)
    )
    return reply.album(try #require(StoreID(70)), in: .unitedStates)
  }

  @Test func `says where it was cut, and counts nothing after that as missing`() throws {
    let cut = try #require(try box(discs: 20))
    #expect(cut.givenCount == 199)
    #expect(
      cut.tracks.discs.count == 19 && cut.tracks.discs.prefix(18).allSatisfy { $0.positions.count == 12 }
    )
    #expect(cut.tracks.discs.last?.positions.last == .track(try #require(cut.tracks.tracks.last)))
    let whole = try #require(try box(discs: 18))
    #expect(whole.givenCount == nil && whole.tracks.gapCount == 18)
  }

  @Test(arguments: [
    ("", ITunesReply.Fault.empty), ("\n\n\n", .empty), ("<!DOCTYPE html>", .html), ("[]", .notAnObject),
    ("{\"resultCount\":1,\"results\":[{", .notAnObject), ("callback({})", .notAnObject),
    ("{\"errorMessage\":\"no\"}", .noResults), ("{\"results\":7}", .noResults),
  ])
  func `is rejected where it is broken`(body: String, fault: ITunesReply.Fault) {
    #expect(throws: fault) { try ITunesReply(json: Array(body.utf8)) }
  }

  @Test func `can say that nothing was found`() throws {
    let reply = try ITunesReply(json: Array("\n\n\n{\n \"resultCount\":0,\n \"results\": []\n}".utf8))
    #expect(reply.artists.isEmpty)
  }

  @Test(arguments: [
    "javascript:alert(1)", "https://example.org/album", "http://itunes.apple.com/x",
    "https://itunes.apple.com.example.org/",
  ])
  func `links only to the store`(address: String) throws {
    let json = """
      {"results":[{"wrapperType":"collection","collectionId":1,"collectionName":"A","collectionViewUrl":"\(address)"}]}
      """
    let albums = try ITunesReply(json: Array(json.utf8)).albums(in: .unitedStates)
    #expect(albums.map(\.storeAddress) == [.empty])
  }
}
