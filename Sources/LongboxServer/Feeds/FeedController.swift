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

/// Serves the feeds of comics, `/feed.atom`, `/feed.json` and `/feeds/rerun/`, and the page about them, `/feeds`.
struct FeedController: Controller {
  /// The number of comics in a feed.
  private static let length = 20

  let catalog: Catalog
  let store: Store
  let pages: ServerPageRenderer
  let feeds: FeedRenderer
  let heavyWork: HeavyWork
  let now: @Sendable () -> Date

  var errorFormat: ErrorFormat { .problem }

  var endpoints: [Endpoint] {
    [
      .get("feed.atom") { try await comics(.atom, $0, $1) },
      .get("feed.json") { try await comics(.json, $0, $1) },
      .get("feeds/rerun/{from}/{start}.atom") { try await rerun(.atom, $0, $1) },
      .get("feeds/rerun/{from}/{start}.json") { try await rerun(.json, $0, $1) },
      .get("feeds") { request, _ in try await page(request) },
      .get("feeds/**") { _, _ in throw FeedRenderer.noFeed },
    ]
  }

  private func comics(
    _ format: FeedFormat,
    _ request: Hummingbird.Request,
    _ context: ServerContext
  ) async throws -> Hummingbird.Response {
    try await feeds.shared(request) { origin in
      try await comics(format, request, origin, for: context.client)
    }
  }

  private func rerun(
    _ format: FeedFormat,
    _ request: Hummingbird.Request,
    _ context: ServerContext
  ) async throws -> Hummingbird.Response {
    let first = try context.parameters.require("from")
    let start = try context.parameters.require("start")
    // A re-run changes every day.
    return try await feeds.shared(request, on: CalendarDate(time: now().milliseconds)) { origin in
      try await rerun(first, start, format, request, origin, for: context.client)
    }
  }

  /// New comics, or the results of a search, newest first: `/feed.atom?q=&deep=&before=`.
  private func comics(
    _ format: FeedFormat,
    _ request: Hummingbird.Request,
    _ origin: String,
    for client: ClientAddress
  ) async throws -> RenderedFeed {
    let query = try APIQuery(request, names: ["q", "deep", "before"])
    let before = try query.comic("before")
    let isDeep = try query.flag("deep", default: true)
    guard let words = try query.optionalText("q", atMost: FeedRenderer.searchLimit) else {
      return try await latest(format, before: before, origin, for: client)
    }
    let asked = catalog.snapshot
    let isHeavy = HeavyWork.isHeavy(searchFor: words)
    let numbers = try await heavyWork.run(for: client, if: isHeavy) {
      asked.search.numbers(for: words, isDeep: isDeep)
    }
    let found = numbers.sorted(by: >).filter { number in before.map { number < $0 } ?? true }
    let shown = Array(found.prefix(Self.length))
    let snapshot = await feeds.snapshot(having: before == nil ? shown : [], for: client)
    let link = Link.feed(format, of: words, isDeep: isDeep)
    let feed = Feed(
      try await feeds.entries(of: shown, in: snapshot.archive, origin),
      in: snapshot.archive,
      named: .init(
        id: "search/\(isDeep)/\(words)",
        title: "xkcd: \(words)",
        subtitle: "What this search finds."
      ),
      at: .init(
        origin: origin,
        page: .search(.init(text: words, isDeep: isDeep)),
        link: link,
        parameter: before.map { "&before=\($0.value)" },
        next: found.count > shown.count ? shown.last.map { "&before=\($0.value)" } : nil
      )
    )
    return try RenderedFeed(feed, as: format, generation: asked.generation)
  }

  private func latest(
    _ format: FeedFormat,
    before: Comic.Number?,
    _ origin: String,
    for client: ClientAddress
  ) async throws -> RenderedFeed {
    // The comics are chosen now, so the feed belongs to this generation even if new comics arrive while it is
    // rendered.
    let asked = catalog.snapshot
    let latest = try asked.archive.newest().number
    let last = min(latest.ordinal, (before?.ordinal ?? .max) - 1)
    let shown = (max(1, last - Self.length + 1)..<(last + 1)).reversed().compactMap {
      Comic.Number(ordinal: $0)
    }
    let snapshot = await feeds.snapshot(having: before == nil ? shown : [], for: client)
    let feed = Feed(
      try await feeds.entries(of: shown, in: snapshot.archive, origin),
      in: snapshot.archive,
      named: .init(
        id: "comics",
        title: "xkcd",
        subtitle: "New comics, with their alt texts and transcripts."
      ),
      at: .init(
        origin: origin,
        page: .latest,
        link: .feed(format),
        parameter: before.map { "?before=\($0.value)" },
        next: last > Self.length ? shown.last.map { "?before=\($0.value)" } : nil
      )
    )
    return try RenderedFeed(feed, as: format, generation: asked.generation)
  }

  /// Serves a re-run, which publishes old comics again, some each day.
  ///
  /// Its address looks like `/feeds/rerun/1/2026-11-21.atom?per-day=&before=`.
  private func rerun(
    _ first: String,
    _ start: String,
    _ format: FeedFormat,
    _ request: Hummingbird.Request,
    _ origin: String,
    for client: ClientAddress
  ) async throws -> RenderedFeed {
    let query = try APIQuery(request, names: ["per-day", "before"])
    let perDay = try query.number("per-day", in: 1...Rerun.mostPerDay, default: 1)
    let before = try query.comic("before")
    // The comics are chosen now, so the feed belongs to this generation even if new comics arrive while it is
    // rendered.
    let asked = catalog.snapshot
    let latest = try asked.archive.newest().number
    let rerun: Rerun
    do throws(RerunError) {
      rerun = try Rerun(from: first, start: start, perDay: perDay, upTo: latest, at: now())
    } catch {
      throw Problem(.notFound, error.description, parameter: error.parameter)
    }
    let shown = rerun.comics(at: now(), upTo: latest, before: before, limit: Self.length)
    let snapshot = await feeds.snapshot(having: before == nil ? shown : [], for: client)
    let perDayText = perDay == 1 ? "one a day" : "\(perDay) a day"
    let separator = perDay == 1 ? "?" : "&"
    let link = Link.rerun(format, from: rerun.first, start: rerun.start, perDay: perDay)
    let name = "rerun/\(rerun.first.value)/\(rerun.start.iso8601)/\(perDay)"
    let entries = try await feeds.entries(of: shown, in: snapshot.archive, origin).map { entry in
      var entry = entry
      entry.id = StableIdentifier.of("\(name)/\(entry.number.value)")
      // Once the re-run has caught up, each comic appears on its own date.
      entry.published = max(rerun.date(of: entry.number), entry.published)
      entry.updated = max(entry.published, entry.updated)
      return entry
    }
    let feed = Feed(
      entries,
      in: snapshot.archive,
      named: .init(
        id: name,
        title: "xkcd from #\(rerun.first.value), \(perDayText)",
        subtitle: "All comics once more, since \(rerun.start.spelled).",
        updated: rerun.start.startOfDayInUTC
      ),
      at: .init(
        origin: origin,
        page: .comic(rerun.first),
        link: link,
        parameter: before.map { "\(separator)before=\($0.value)" },
        next: shown.last.flatMap { $0 > rerun.first ? "\(separator)before=\($0.value)" : nil }
      )
    )
    return try RenderedFeed(feed, as: format, generation: asked.generation)
  }

  // The page about feeds

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
