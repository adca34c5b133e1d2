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

/// Serves explanations to installed apps, as the pages show them.
///
/// One explanation is at `/explanations/353`; changes are at `/explanations?since=CHANGE`, a hundred at a
/// time.
struct ExplanationController: Controller {
  /// A batch of explanations, in the order of their changes.
  private struct Chunk: Encodable {
    var samples: Bool
    /// The number of all explanations.
    var count: Int
    /// The value of `since` for the next request.
    var change: Int
    /// Whether there are no more changes.
    var isLast: Bool
    var explanations: [DeviceExplanation]
  }

  /// A chunk of this length takes about a quarter of a megabyte on the wire.
  private static let chunkLength = 100

  let catalog: Catalog
  let heavyWork: HeavyWork
  let basePath: BasePath
  /// Maximum wait for the wiki.
  let timeout: Duration

  var endpoints: [Endpoint] {
    [
      .get("explanations") { try await changes($0, $1.client) },
      .get("explanations/{number}") { try await explanation($1.parameters.require("number"), $0, $1.client) },
    ]
  }

  private func changes(
    _ request: Hummingbird.Request,
    _ client: ClientAddress
  ) async throws -> Hummingbird.Response {
    let query = request.uri.queryParameters
    let isSampleBox = catalog.snapshot.archive.isSampleBox
    let basePath = request.head.basePath(or: basePath)
    var since = query["since"].flatMap { Int($0) } ?? 0
    let (totals, found): (ExplanationTotals, [Explanation])
    do throws(CatalogError) {
      totals = try await catalog.explanationTotals()
      // The device has samples instead of comics or the reverse, or a backup was restored here: start again.
      if (query["samples"] == "1") != isSampleBox || since > totals.change { since = 0 }
      found = try await catalog.explanations(changedSince: since, limit: Self.chunkLength)
    } catch {
      throw error.httpError
    }
    let isLast = found.count < Self.chunkLength
    let body = try await heavyWork.run(for: client) {
      try? Self.body(
        Chunk(
          samples: isSampleBox,
          count: totals.pages,
          change: isLast ? totals.change : found.last?.change ?? totals.change,
          isLast: isLast,
          explanations: found.map { DeviceExplanation($0, isSample: isSampleBox, below: basePath) }
        )
      )
    }
    guard let body else { throw CatalogError.absent.httpError }
    return body.response(to: request)
  }

  /// Serves one explanation, and asks the wiki first if it is not stored; 404 if the wiki has none.
  private func explanation(
    _ name: String,
    _ request: Hummingbird.Request,
    _ client: ClientAddress
  ) async throws -> Hummingbird.Response {
    let archive = catalog.snapshot.archive
    guard let number = Int(name).flatMap({ Comic.Number($0) }), archive.comic(number) != nil
    else { throw HTTPError(.notFound, message: "There is no such comic.") }
    let state: ExplanationState
    do throws(CatalogError) {
      state = try await catalog.explanation(of: number, within: timeout, for: client.description)
    } catch {
      throw error.httpError
    }
    switch state {
    case .stored(let explanation):
      let basePath = request.head.basePath(or: basePath)
      let sent = DeviceExplanation(explanation, isSample: archive.isSampleBox, below: basePath)
      return try Self.body(sent).response(to: request)
    case .absent: throw HTTPError(.notFound, message: "explain xkcd has no explanation of this comic yet.")
    case .unknown: throw HTTPError(.serviceUnavailable, message: "explain xkcd isn’t answering right now.")
    }
  }

  private static func body(_ value: some Encodable) throws(CatalogError) -> EncodedBody {
    guard let bytes = try? JSONEncoder.stable.encode(value) else { throw .absent }
    return EncodedBody([UInt8](bytes), mediaType: "application/json", cacheControl: "no-cache")
  }
}

/// An explanation as the installed app stores it.
struct DeviceExplanation: Encodable {
  var comic: Int
  /// The text in the disclosure on the comic's page.
  var beginning: String
  /// The text that replaces it when the reader opens the whole explanation.
  var whole: String
  /// The plain text, for search snippets.
  var text: String
  var change: Int

  init(_ explanation: Explanation, isSample: Bool, below basePath: BasePath) {
    let shown = ShownExplanation(
      of: explanation.number,
      .here(.init(explanation)),
      isSample: isSample
    )
    comic = explanation.number.value
    beginning = shown.beginning.string(below: basePath.inPages)
    whole = shown.whole.string(below: basePath.inPages)
    text = explanation.document.plainText.description
    change = explanation.change
  }
}
