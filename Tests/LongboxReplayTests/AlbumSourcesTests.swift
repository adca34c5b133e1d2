// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import longbox_replay

@Suite struct `The iTunes Store and Wikipedia, played back` {
  private struct Reply: Decodable {
    struct Row: Decodable {
      let wrapperType: String
      let artistName: String?
      let collectionName: String?
      let trackName: String?
    }

    let resultCount: Int
    let results: [Row]
  }

  private struct Pages: Decodable {
    struct Query: Decodable {
      struct Page: Decodable {
        let title: String
        let index: Int
        let description: String?
        let extract: String?
        let lastrevid: Int
      }

      let pages: [Page]
    }

    let query: Query?
    let error: [String: String]?
  }

  @Test func `artists are found by words in their names`() async throws {
    try await withReplay { bench in
      let response = try await bench.get(
        "/itunes/search?term=cafe+b&country=us&media=music&entity=musicArtist"
      )
      #expect(response.headers[.contentType] == "text/javascript; charset=utf-8")
      #expect(response.text.hasPrefix("\n\n\n{"))
      let answer = try response.decoded(Reply.self)
      #expect(answer.results.map(\.artistName) == ["Café Bär"])
      #expect(answer.resultCount == 1)
      let none = try await bench.get("/itunes/search?term=nobody&entity=musicArtist").decoded(Reply.self)
      #expect(none.results.isEmpty)
    }
  }

  @Test func `look-ups are composed from rows, or returned as recorded`() async throws {
    try await withReplay { bench in
      let albums = try await bench.get("/itunes/lookup?id=5&entity=album&country=us").decoded(Reply.self)
      #expect(albums.results.map(\.wrapperType) == ["artist", "collection"])
      let songs = try await bench.get("/itunes/lookup?id=50&entity=song&country=us").decoded(Reply.self)
      #expect(songs.results.map(\.trackName) == [nil, "Bean"])
      #expect(
        try await bench.get("/itunes/lookup?id=9&entity=song&country=us").text == Fixture.recordedLookup
      )
      let unknown = try await bench.get("/itunes/lookup?id=4&entity=song&country=us").decoded(Reply.self)
      #expect(unknown.resultCount == 0)
    }
  }

  @Test func `an invalid country is rejected as the store does`() async throws {
    try await withReplay { bench in
      let response = try await bench.get("/itunes/search?term=a&entity=musicArtist&country=xyz")
      #expect(response.status == .badRequest)
      #expect(response.text.contains("Invalid value(s) for key(s): [country]"))
    }
  }

  @Test(arguments: [("600x600bb.jpg", 600), ("100x100bb.png", 100)])
  func `covers are drawn in the requested size`(name: String, side: Int) async throws {
    try await withReplay { bench in
      let one = try await bench.get("/artwork/image/a/\(name)")
      #expect(one.status == .ok && one.body.readableBytes > 100)
      #expect(try await bench.get("/artwork/image/a/\(name)").body == one.body)
      #expect(try await bench.get("/artwork/image/b/\(name)").body != one.body)
      for bad in ["5000x5000bb.jpg", "600x500bb.jpg", "x.jpg", "600x600bb.txt"] {
        #expect(try await bench.get("/artwork/image/a/\(bad)").status == .notFound)
      }
    }
  }

  @Test func `page searches return the best matches first, from several kinds of files`() async throws {
    try await withReplay { bench in
      let path = "/wikipedia/api.php?action=query&generator=search&formatversion=2&gsrlimit=8&gsrsearch="
      let pages = try await bench.get(path + "%22Bean%22+Caf%C3%A9+album").decoded(Pages.self)
      #expect(pages.query?.pages.map(\.title) == ["Bean (album)", "Café Bär"])
      #expect(pages.query?.pages.map(\.index) == [1, 2])
      #expect(pages.query?.pages[0].description == "1999 album by Café Bär")
      #expect(pages.query?.pages[0].extract == "Bean is an album & more.")
      let none = try await bench.get(path + "%22Nothing%22").decoded(Pages.self)
      #expect(none.query == nil && none.error == nil)
      #expect(try await bench.get("/wikipedia/api.php?action=parse").decoded(Pages.self).error != nil)
    }
  }

  @Test func `faults apply to each source by name`() async throws {
    try await withReplay { bench in
      let fault = #"{"kind": "status", "status": 403, "source": "itunes", "times": 1}"#
      _ = try await bench.send(.post, "/_replay/faults", fault)
      let path = "/itunes/search?term=a&entity=musicArtist"
      #expect(try await bench.get(path).status == .forbidden)
      #expect(try await bench.get(path).status == .ok)
    }
  }
}
