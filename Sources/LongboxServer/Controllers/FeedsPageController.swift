// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPages
import LongboxReaders
import LongboxStore

/// Serves the page about feeds, `/feeds`.
struct FeedsPageController: Controller {
  let catalog: Catalog
  let store: Store
  let pages: any ServerPageRendering
  let feeds: FeedRenderer
  let now: @Sendable () -> Date

  var errorFormat: ErrorFormat { .problem }

  var endpoints: [Endpoint] {
    [.get("feeds") { request, _ in try await page(request) }]
  }

  /// Shows the page with the addresses of the feeds that the reader chose: `/feeds?q=` and
  /// `/feeds?from=&start=&per-day=`.
  private func page(_ request: Hummingbird.Request) async throws -> Hummingbird.Response {
    let cookie = LibraryCookie(of: request)
    var offer = FeedsOffer(
      origin: Text(string: try feeds.origin(of: request)),
      today: CalendarDate(time: now().milliseconds)
    )
    if let cookie {
      offer.favorites = try await store.feeds.favoritesFeeds(of: cookie.libraryName).map {
        Text(string: $0.token)
      }
    }
    let fields = FormFields(Text(string: request.uri.query ?? ""))
    choose(search: fields, &offer)
    choose(rerun: fields, &offer)
    return try await pages.show(.feeds(offer), to: request, as: cookie)
  }

  private func choose(search fields: FormFields, _ offer: inout FeedsOffer) {
    guard let words = fields["q"].map({ Text($0.bytes.trimmed()) }), !words.isEmpty else { return }
    offer.search = words
    guard words.description.unicodeScalars.count > FeedRenderer.searchLimit else { return }
    let sentence = "A search has at most \(FeedRenderer.searchLimit) characters."
    offer.rejection = .init(Text(string: sentence), field: "q")
  }

  private func choose(rerun fields: FormFields, _ offer: inout FeedsOffer) {
    guard let first = fields["from"], let latest = catalog.snapshot.archive.latest?.number else { return }
    func typed(_ name: Text) -> Text { Text((fields[name] ?? .empty).bytes.trimmed()) }
    let form = FeedsOffer.TypedRerun(
      first: Text(first.bytes.trimmed()),
      start: typed("start"),
      perDay: fields["per-day"] == nil ? "1" : typed("per-day")
    )
    offer.typed = form
    do throws(RerunError) {
      guard let count = APIQuery.number(form.perDay.description, in: 1...Rerun.mostPerDay) else {
        throw RerunError.notPerDay(String(form.perDay.description.prefix(Rerun.longestEcho)))
      }
      let rerun = try Rerun(
        from: form.first.description,
        start: form.start.description,
        perDay: count,
        upTo: latest,
        at: now()
      )
      offer.rerun = .init(first: rerun.first, start: rerun.start, perDay: rerun.perDay)
    } catch {
      offer.rejection = .init(Text(string: error.description), field: Text(string: error.parameter))
    }
  }
}
