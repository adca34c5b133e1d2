// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

@testable import LongboxPages

@Suite struct `Explanations on pages` {
  private static let explanation = Shelf.Explanation(
    lead: "It hugs <back>.",
    html: HTML(rendered: Array("<p>The whole.</p>".utf8)),
    asOf: "3 May 2024"
  )

  private func page(
    _ path: Text,
    _ state: Shelf.ExplanationState?,
    isOffline: Bool = false
  ) throws -> Response {
    let number = try #require(Comic.Number(353))
    var shelf = Shelf(isOffline: isOffline)
    if let state { shelf.explanations = [.init(number, state)] }
    return respond(to: Request(path: path), archive: try Fixtures.archive(upTo: 360), shelf: shelf)
  }

  @Test func `a comic's page hides the beginning of it behind a disclosure`() throws {
    let page = try page("/353/", .here(Self.explanation))
    #expect(page.needs.isEmpty)
    #expect(page.text.contains(#"<details class="explanation"><summary>Explanation</summary>"#))
    #expect(page.text.contains(#"<p class="lead">It hugs &lt;back&gt;.</p>"#))
    #expect(page.text.contains(#"href="/353/explanation""#))
    #expect(page.text.contains("As of 3 May 2024"))
    #expect(page.text.contains("CC BY-SA 3.0"))
    #expect(
      page.text.contains(
        #"<a href="https://www.explainxkcd.com/wiki/index.php/353">Show more on explain xkcd</a>"#
      )
    )
    #expect(!page.text.contains("The whole."), "it is for the page of its own")
  }

  @Test func `a comic's page is laid out without it, and asks whether it is at hand`() throws {
    let number = try #require(Comic.Number(353))
    let page = try page("/353/", nil)
    #expect(page.status == 200)
    #expect(page.needs == [.lead(number)])
    #expect(page.text.contains(#"href="/353/explanation""#))
    #expect(try self.page("/353/", .elsewhere).needs.isEmpty)
  }

  @Test func `the page of its own shows the whole`() throws {
    let page = try page("/353/explanation", .here(Self.explanation))
    #expect(page.status == 200)
    #expect(page.text.contains("<h2>Explanation</h2><p>The whole.</p>"))
    #expect(page.text.contains("As of 3 May 2024"))
    #expect(!page.text.contains("more of it than is kept"))
  }

  @Test func `what is cut or incomplete is said`() throws {
    var explanation = Self.explanation
    explanation.isCut = true
    explanation.isIncomplete = true
    let page = try page("/353/explanation", .here(explanation))
    #expect(page.text.contains("There is more of it than is kept here."))
    #expect(page.text.contains("They call it incomplete."))
  }

  @Test(arguments: [
    (Shelf.ExplanationState.absent, false, 404, "There is no explanation of this comic yet."),
    (.unavailable, false, 503, "explain xkcd does not answer now."),
    (.unavailable, true, 503, "This explanation is not on this device yet."),
  ])
  func `where it can't be had the page says why`(
    state: Shelf.ExplanationState,
    isOffline: Bool,
    status: Int,
    sentence: String
  ) throws {
    let page = try page("/353/explanation", state, isOffline: isOffline)
    #expect(page.status == status)
    #expect(page.needs.isEmpty)
    #expect(page.text.contains(sentence))
    #expect(page.text.contains("https://www.explainxkcd.com/wiki/index.php/353"))
  }

  @Test(
    arguments: ["/404/explanation", "/0353/explanation", "/x/explanation", "/353/explanations"] as [Text]
  )
  func `other addresses are no pages`(path: Text) throws {
    #expect(try page(path, nil).status == 404)
  }

  @Test func `a transcript from explain xkcd is credited, one of xkcd's own is not`() throws {
    let archive = try Fixtures.archive(
      upTo: 1609,
      changing: [1608: { $0.transcript = "A: Yes." }, 1609: { $0.transcript = "A: No." }]
    )
    func page(_ path: Text) -> String {
      respond(to: Request(path: path), archive: archive, shelf: Shelf()).text
    }
    #expect(page("/1609/").contains("Transcript from "))
    #expect(!page("/1608/").contains("Transcript from "))
  }
}
