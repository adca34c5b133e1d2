// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import LongboxCore
import NIOCore
import Testing
import TestSupport

@testable import LongboxCatalog
@testable import LongboxServer
@testable import longbox_replay

/// The readers' choices of the articles about albums.
extension AlbumsTests {
  /// A reader's page about an album.
  private func page(_ bench: ReplayBench, _ path: String, _ cookie: String? = nil) async throws -> String {
    var headers: HTTPFields = [:]
    headers[.cookie] = cookie
    return try await bench.client.executeRequest(uri: path, method: .get, headers: headers, body: nil).text
  }

  /// Sends a reader's choice, and returns the reader's cookie.
  private func pick(_ bench: ReplayBench, _ page: String, of album: Int, _ cookie: String? = nil) async throws
    -> String
  {
    let back = "%2Falbums%2F\(album)%3Fcountry%3Dus"
    let form = "album=\(album)&language=en&page=\(page)&back=\(back)"
    let answer = try await post(bench, "/albums/article", form, cookie: cookie)
    #expect(answer.status == .seeOther && answer.headers[.location] == "/albums/\(album)?country=us")
    return try #require(cookie ?? answer.headers[.setCookie].map { String($0.prefix { $0 != ";" }) })
  }

  @Test func `two readers choose different articles, and other readers see neither choice`() async throws {
    let folder = try recording()
    try await withReplay(of: folder.url) { bench async throws in
      let path = "/albums/75?country=us"
      let asked = try await page(bench, path)
      #expect(asked.contains("Which of these is about this album?"))
      #expect(asked.contains("The Lamps (2001 album)") && asked.contains("The Lamps (2002 album)"))
      #expect(!asked.contains("American band"))
      let ada = try await pick(bench, "4", of: 75)
      let bob = try await pick(bench, "3", of: 75)
      for days in [0, 40] {
        bench.time.advance(by: Double(days) * 24 * 3600)
        let pages = (try await page(bench, path, ada), try await page(bench, path, bob))
        #expect(pages.0.contains("<p lang=\"en\" dir=\"auto\">The Lamps is another album by the Lamps."))
        #expect(pages.1.contains("<p lang=\"en\" dir=\"auto\">The Lamps is an album by the Lamps."))
        #expect(!pages.0.contains("is an album") && !pages.1.contains("another album"))
        #expect(try await page(bench, path).contains("Which of these is about this album?"))
      }
      _ = try await pick(bench, "0", of: 75, ada)
      #expect(try await page(bench, path, ada).contains("You said that none of the articles"))
      #expect(try await page(bench, path, bob).contains("is an album by the Lamps"))
      _ = try await pick(bench, "", of: 75, ada)
      #expect(try await page(bench, path, ada).contains("Which of these is about this album?"))
    }
  }

  @Test func `"Search again" asks Wikipedia again, and keeps every choice`() async throws {
    let folder = try recording()
    try await withReplay(of: folder.url) { bench async throws in
      let path = "/albums/75?country=us"
      _ = try await page(bench, path)
      let ada = try await pick(bench, "4", of: 75)
      let calls = calls(bench, "/wikipedia/api.php")
      let again = try await post(bench, "/albums/75/article", "again=1&back=%2Falbums%2F75")
      #expect(again.status == .seeOther && again.headers[.setCookie] == nil)
      #expect(try await page(bench, path, ada).contains("another album by the Lamps"))
      #expect(
        self.calls(bench, "/wikipedia/api.php") == calls + 1,
        "it is asked, though its answer was young"
      )
      // Forms of an earlier version, which devices have stored, change nothing.
      #expect(try await post(bench, "/albums/75/article", "page=3&back=%2F").status == .seeOther)
      #expect(try await page(bench, path).contains("Which of these is about this album?"))
      for form in ["/albums/75/article", "/albums/article"] {
        let other = try await bench.client.executeRequest(
          uri: form,
          method: .post,
          headers: [.origin: "https://evil.example"],
          body: ByteBuffer(string: "album=75&language=en&page=3&again=1")
        )
        #expect(other.status == .forbidden)
      }
    }
  }

  @Test func `a reader gets articles in the language of their choice, which no other reader sees`()
    async throws
  {
    let folder = try recording()
    let text = "Wick ist das Debütalbum von The Lamps."
    let article =
      #"{"pageid":9,"title":"Wick (Album)","description":"Studioalbum von The Lamps","extract":"\#(text)"}"#
    try folder.write(Array("{\"query\":{\"pages\":[\(article)]}}".utf8), to: "wikipedia/de/pages.json")
    try await withReplay(of: folder.url, wikipedia: "/wikipedia/{language}/api.php") { bench async throws in
      let path = "/albums/70?country=us"
      let asked = try await page(bench, path)
      #expect(asked.contains("No Wikipedia article found for this album."))
      #expect(asked.contains(#"<option value="en" selected>English</option>"#))
      let form = "language=de&back=%2Falbums%2F70%3Fcountry%3Dus"
      let saved = try await post(bench, "/albums/settings", form)
      #expect(saved.status == .seeOther && saved.headers[.location] == path)
      let ada = String(try #require(saved.headers[.setCookie]).prefix { $0 != ";" })
      let german = try await page(bench, path, ada)
      #expect(german.contains(#"<p lang="de" dir="auto">\#(text)</p>"#))
      #expect(german.contains(#"<option value="de" selected>Deutsch</option>"#))
      #expect(try await page(bench, "/albums/70/content.json?country=us", ada).contains(#""language":"de""#))
      #expect(try await page(bench, "/albums/settings", ada).contains(#"<option value="de" selected>"#))
      #expect(try await page(bench, path).contains("No Wikipedia article found"))
      for form in ["language=tlh", "language=", "back=%2F"] {
        #expect(try await post(bench, "/albums/settings", form, cookie: ada).status == .badRequest)
      }
      #expect(try await page(bench, path, ada).contains(text), "a form that is refused changes nothing")
    }
  }

  @Test func `dismissing a wrong article offers another search`() async throws {
    let folder = try recording()
    try await withReplay(of: folder.url) { bench async throws in
      let path = "/albums/70?country=us"
      let sure = try await page(bench, path)
      #expect(sure.contains(#"<p lang="en" dir="auto">Wick is the debut album by the Lamps.</p>"#))
      #expect(!sure.contains("href=\"\""), "Wikipedia gave no address")
      let ada = try await pick(bench, "0", of: 70)
      let dismissed = try await page(bench, path, ada)
      #expect(dismissed.contains("You said that") && dismissed.contains("Search again"))
      #expect(dismissed.contains("Undo choice") && !dismissed.contains("Wick is the debut album"))
      #expect(try await page(bench, path).contains("Wick is the debut album"))
    }
  }

  @Test func `a look-up that suddenly finds nothing keeps the stored result`() async throws {
    let folder = try recording()
    try await withReplay(of: folder.url) { bench async throws in
      let empty = #""kind": "status", "status": 200, "body": "{\"results\":[]}", "times": 1"#
      for path in ["/albums/70?country=us", "/albums/artists/7?country=us"] {
        let before = calls(bench, "/itunes/lookup")
        #expect(try await bench.get(path).text.contains("Wick"))
        for _ in 0..<2 {
          bench.time.advance(by: 31 * 24 * 3600)
          try fault(bench, "itunes", empty)
          #expect(try await bench.get(path).text.contains("Wick"))
        }
        _ = try await bench.get(path)
        #expect(calls(bench, "/itunes/lookup") == before + 3, "its date is renewed")
      }
    }
  }

  @Test func `a look-up that finds nothing is repeated the next day`() async throws {
    let folder = try recording()
    try await withReplay(of: folder.url) { bench async throws in
      #expect(try await bench.get("/albums/999?country=us").status == .notFound)
      bench.time.advance(by: 23 * 3600)
      #expect(try await bench.get("/albums/999?country=us").status == .notFound)
      #expect(calls(bench, "/itunes/lookup") == 1)
      bench.time.advance(by: 2 * 3600)
      #expect(try await bench.get("/albums/999?country=us").status == .notFound)
      #expect(calls(bench, "/itunes/lookup") == 2)
    }
  }
}
