// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import Testing

@testable import LongboxUpstream

@Suite("The client of Wikipedia") struct WikipediaClientTests {
  private func album(_ name: Text, by artist: Text = "The Lamps") throws -> Album {
    Album(id: try #require(StoreID(1)), artist: artist, name: name)
  }

  @Test(arguments: [
    ("Wick (Deluxe Edition) [Remastered]", "\"Wick\" The Lamps album"),
    ("Glow - Single", "\"Glow\" The Lamps song"),
    ("Moth - EP", "\"Moth\" The Lamps EP"),
    ("The \"Best\" of Light", "\"The  Best  of Light\" The Lamps album"),
  ])
  func `searches for the plain name of an album`(name: String, search: String) async throws {
    let script = ScriptedTransport(.reply(200, body: Array("{\"batchcomplete\":true}".utf8)))
    let client = WikipediaClient(transport: script.transport, address: try WikipediaAddress())
    _ = try await client.ask(about: try album(Text(string: name)), in: "en")
    let address = try #require(script.exchanges.first?.address)
    #expect(address.origin.host == "en.wikipedia.org")
    let fields = try #require(address.target.split(separator: "?").last).split(separator: "&")
    let found = fields.first { $0.hasPrefix("gsrsearch=") }?.dropFirst(10)
    #expect(String(found ?? "").removingPercentEncoding == search)
  }

  @Test func `reads pages in their order`() async throws {
    let json = """
      {"batchcomplete":true,"query":{"pages":[
      {"pageid":2,"title":"Wick","index":2,"pageprops":{"disambiguation":""}},
      {"pageid":1,"title":"Wick (album)","index":1,"description":"1999 studio album by The Lamps","lastrevid":77,
       "extract":" It glows.\\n","fullurl":"https://en.wikipedia.org/wiki/Wick_(album)"},
      {"pageid":3,"title":"Evil","index":3,"fullurl":"javascript:alert(1)"},
      {"title":"Gone","missing":true}
      ]}}
      """
    let pages = try WikipediaReply(json: Array(json.utf8)).pages
    #expect(pages.map(\.id) == [1, 2, 3])
    #expect(pages[0].extract == "It glows.")
    #expect(pages[0].revision == 77)
    #expect(pages.map(\.isDisambiguation) == [false, true, false])
    #expect(pages[2].address.isEmpty)
  }

  @Test(arguments: ["", "<html>", "{}", "[1]", "{\"query\":{\"pages\":{}}}"])
  func `rejects a broken reply`(body: String) {
    #expect(throws: WikipediaReply.Fault.unreadable) { try WikipediaReply(json: Array(body.utf8)) }
  }

  @Test func `cuts a long extract at the end of a paragraph`() throws {
    let extract = String(repeating: "A sentence. ", count: 400) + "\\n" + String(repeating: "b", count: 4_000)
    let json =
      "{\"batchcomplete\":true,\"query\":{\"pages\":[{\"pageid\":1,\"title\":\"A\",\"extract\":\"\(extract)\"}]}}"
    let page = try #require(try WikipediaReply(json: Array(json.utf8)).pages.first)
    #expect(page.extract.description.hasSuffix("A sentence. "))
    #expect(page.extract.count < 6_000)
  }

  @Test func `uses the configured address`() throws {
    #expect(try WikipediaAddress(language: "de").api.description == "https://de.wikipedia.org/w/api.php")
    #expect(throws: SettingError.self) { try WikipediaAddress(language: "en.evil.org/") }
    let own = try WikipediaAddress(api: "http://127.0.0.1:8354/wikipedia/api.php", language: "fr")
    #expect(own.origins.map(\.host) == ["127.0.0.1"])
    #expect(own.languages == ["fr"])
  }

  @Test func `asks the Wikipedia of each language`() async throws {
    let reply = Array("{\"batchcomplete\":true}".utf8)
    for (api, german) in [
      (nil, "https://de.wikipedia.org/w/api.php"),
      ("http://[::1]/{language}/api.php", "http://[::1]/de/api.php"),
    ] {
      let address = try WikipediaAddress(api: api, language: "pt-br")
      #expect(address.languages.first == "pt-br" && address.languages.contains("de"))
      let script = ScriptedTransport(.reply(200, body: reply), .reply(200, body: reply))
      let client = WikipediaClient(transport: script.transport, address: address)
      for language in ["de", "xx"] {
        _ = try await client.ask(about: try album("Glow - Single"), in: language)
      }
      let asked = script.exchanges.map { "\($0.address)" }
      #expect(asked[0].hasPrefix(german + "?") && asked[0].contains("gsrsearch=%22Glow%22%20The%20Lamps&"))
      #expect(asked[1].hasPrefix("\(address.api)?"), "no other host is ever asked")
      #expect(script.exchanges.allSatisfy { address.origins.contains($0.address.origin) })
    }
  }
}
