// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import TestSupport
import Testing

@testable import LongboxPages

@Suite struct BasePathTests {
  private static let basePath: Text = "/longbox"

  private func page(_ address: String, below basePath: Text) throws -> Response {
    let parts = address.split(separator: "?", maxSplits: 1).map { Text(string: String($0)) }
    let request = Request(path: parts[0], query: parts.count > 1 ? parts[1] : .empty, random: 41)
    var context = PageContext(assetVersion: "a1", version: "0.1.0")
    context.hasFeeds = true
    context.basePath = basePath
    let archive = try Fixtures.archive(upTo: 12)
    return respond(to: request, archive: archive, context: context) { need in
      switch need {
      case .explanationLead(let comic): .lead(ShownExplanation(of: comic, .absent, isSample: false).beginning)
      default: nil
      }
    }
  }

  @Test(
    arguments: [
      "/", "/7/", "/404/", "/comics", "/comics?view=list", "/comics?view=map", "/favorites",
      "/favorites/clear",
      "/search", "/search?q=/7/", "/settings", "/about", "/go?number=abc", "/no-such-page", "/read/clear",
      "/albums/saved", "/7/explanation",
    ]
  )
  func `have it before each address, and differ in nothing else`(address: String) throws {
    let plain = try page(address, below: .empty)
    let below = try page(address, below: Self.basePath)
    #expect(plain.status == below.status)
    let markup = Markup(below.text)
    #expect(markup.faults == [])
    let paths = markup.addresses.filter { $0.hasPrefix("/") }
    #expect(paths.contains("/longbox/"))
    #expect(paths.allSatisfy { $0.hasPrefix("/longbox/") }, "\(paths)")
    #expect(below.text.contains(" data-base=\"/longbox\""))
    #expect(!plain.text.contains("data-base") && !plain.body.contains(HTML.mark))
    #expect(!below.text.contains("data-shared"), "the base path alone is no public address")
    let without = below.text.replacing(" data-base=\"/longbox\"", with: "").replacing("/longbox/", with: "/")
    #expect(without == plain.text)
  }

  @Test func `what readers type is no address`() throws {
    // A NUL would mark an address, if it were not replaced.
    let typed = try page("/search?q=%00/7/&deep=1", below: Self.basePath)
    #expect(typed.text.contains("value=\"\u{FFFD}/7/\""))
    #expect(!typed.body.contains(HTML.mark))
  }

  @Test func `forms that only the server shows have it, too`() throws {
    let album = try #require(StoreID("70"))
    let article = ArticleDisclosure(
      article: .dismissed([]),
      album: album,
      language: "en",
      languages: ["en", "de"],
      back: "/albums/70"
    )
    let setUp = PhonePage(offer: .form(.init(hasPassphrase: false, names: .empty)))
    for (html, count) in [(article.html, 3), (setUp.content, 1)] {
      let forms = html.string(below: Self.basePath).split(separator: "<form ").dropFirst()
      #expect(forms.count == count)
      #expect(forms.allSatisfy { $0.contains("action=\"/longbox/") })
    }
  }

  @Test func `redirects leave it to the host`() throws {
    let response = try page("/random", below: Self.basePath)
    #expect(
      response.location.description.hasPrefix("/") && !response.location.description.contains("longbox")
    )
  }

  @Test func `addresses elsewhere stay`() {
    let html = a(.href(.external("https://xkcd.com/7/"))) { "7" } + a(.href(.local("//xkcd.com/7/"))) { "7" }
    #expect(html.string(below: "/longbox") == html.description)
  }
}
