// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

@testable import LongboxPages

@Suite struct ExplanationPagesTests {
  private static let content = ShownExplanation.Content(
    lead: WikiPage(wikitext: "==Explanation==\nIt hugs &lt;back&gt;, as [[7: Girl|before]].").linkedLead,
    document: WikiPage(wikitext: "==Explanation==\nThe ''whole''.").explanation,
    date: CalendarDate(year: 2024, month: 5, day: 3)
  )

  private func shown(_ state: ShownExplanation.State, isSample: Bool = false) throws -> ShownExplanation {
    ShownExplanation(of: try #require(Comic.Number(353)), state, isSample: isSample)
  }

  private func host(_ load: @escaping (Need) -> Loaded.Value? = { _ in nil }) throws -> TestHost {
    var host = TestHost(try Fixtures.archive(upTo: 360))
    host.load = load
    return host
  }

  /// The explanation's page, for a host that loads this value.
  private func page(_ value: Loaded.Value, isOffline: Bool = false) throws -> Response {
    let need = Need.explanation(try #require(Comic.Number(353)))
    var host = try host { $0 == need ? value : nil }
    host.context.isOffline = isOffline
    var library = Replica(device: 1)
    let page = host.respond(to: Request(path: "/353/explanation"), library: &library)
    #expect(host.asked == [need])
    return page
  }

  @Test func `begin in a disclosure on the comic's page`() throws {
    let shown = try shown(.here(Self.content))
    var host = try host { $0 == .explanationLead(shown.comic) ? .lead(shown.beginning) : nil }
    var library = Replica(device: 1)
    let page = host.respond(to: Request(path: "/353/"), library: &library)
    #expect(host.asked == [.explanationLead(shown.comic)])
    #expect(page.text.contains(#"<details class="part explanation"><summary>Explanation</summary>"#))
    #expect(page.text.contains(#"<p class="lead">It hugs &lt;back&gt;, as <a href="/7/">before</a>.</p>"#))
    #expect(page.text.contains(#"href="/353/explanation""#))
    #expect(page.text.contains("As of 3 May 2024"))
    #expect(page.text.contains("CC BY-SA 3.0"))
    #expect(
      page.text.contains(
        #"<a href="https://www.explainxkcd.com/wiki/index.php/353" aria-label="Show more on explain xkcd">"#
          + "On explain xkcd</a>"
      )
    )
    #expect(!page.text.contains("<em>whole</em>"), "it is for the page of its own")
  }

  @Test func `are requested for a comic's page, which is complete without them`() throws {
    let number = try #require(Comic.Number(353))
    for lead in [nil, .absent, .lead(HTML())] as [Loaded.Value?] {
      var host = try host { _ in lead }
      var library = Replica(device: 1)
      let page = host.respond(to: Request(path: "/353/"), library: &library)
      #expect(page.status == 200)
      #expect(host.asked == [.explanationLead(number)])
      #expect(page.text.contains(#"href="/353/explanation""#))
    }
  }

  @Test func `are complete on their own page`() throws {
    let page = try page(.explanation(shown(.here(Self.content)).whole))
    #expect(page.status == 200)
    #expect(page.text.contains("<h2>Explanation</h2><p>The <em>whole</em>.</p>"))
    #expect(page.text.contains("As of 3 May 2024"))
    #expect(!page.text.contains("more of it than is kept") && !page.text.contains("incomplete"))
  }

  @Test func `say when they are cut or incomplete`() throws {
    var content = Self.content
    content.isCut = true
    content.isIncomplete = true
    let page = try page(.explanation(shown(.here(content)).whole))
    #expect(page.text.contains("This is only the beginning of it."))
    #expect(page.text.contains("They call it incomplete."))
  }

  @Test func `redirect to the comic's page when offline and not stored`() throws {
    let page = try page(.unavailable, isOffline: true)
    #expect(page.status == 303 && page.location == "/353/#explanation")
  }

  @Test(arguments: [
    (Loaded.Value.absent, 404, "There is no explanation of this comic yet."),
    (.unavailable, 503, "explain xkcd isn’t answering right now."),
  ])
  func `say why they are unavailable`(
    value: Loaded.Value,
    status: Int,
    sentence: String
  ) throws {
    let page = try page(value, isOffline: false)
    #expect(page.status == status && !page.serverMayKnowMore)
    #expect(page.text.contains(sentence))
    #expect(page.text.contains("https://www.explainxkcd.com/wiki/index.php/353"))
  }

  @Test func `are not credited to explain xkcd where the project wrote them`() throws {
    let html = try shown(.here(Self.content), isSample: true).beginning.description
    #expect(!html.contains("explain xkcd") && html.contains("It hugs"))
  }

  @Test func `are credited as the source of a transcript, but not of xkcd's own`() throws {
    let archive = try Fixtures.archive(
      upTo: 1609,
      changing: [1608: { $0.transcript = "A: Yes." }, 1609: { $0.transcript = "A: No." }]
    )
    func page(_ path: Text) -> String {
      respond(to: Request(path: path), archive: archive).text
    }
    #expect(page("/1609/").contains("Transcript from "))
    #expect(!page("/1608/").contains("Transcript from "))
  }
}
