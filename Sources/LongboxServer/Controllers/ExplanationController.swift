// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPages
import LongboxStore

/// Gives devices the explanations, as the pages show them: one at `/explanations/353`, or those that have changed at
/// `/explanations?since=CHANGE`, a hundred at a time.
struct ExplanationController: Controller {
  /// An explanation as a device keeps it.
  private struct DeviceExplanation: Encodable {
    var comic: Int
    /// What stands in the disclosure of the comic's page.
    var beginning: String
    /// What takes its place when the reader asks for the whole.
    var whole: String
    /// Its plain text, of which search makes snippets.
    var text: String
    var change: Int

    init(_ explanation: Explanation, isSample: Bool) {
      let shown = ShownExplanation(
        of: explanation.number,
        .here(.init(explanation)),
        isSample: isSample
      )
      comic = explanation.number.value
      beginning = shown.beginning.description
      whole = shown.whole.description
      text = explanation.document.plainText.description
      change = explanation.change
    }
  }

  /// Some of the explanations, in the order in which they changed.
  private struct Chunk: Encodable {
    /// Whether they are of the sample box.
    var samples: Bool
    /// How many there are in all.
    var count: Int
    /// What to ask with next time.
    var change: Int
    /// Whether that would bring more.
    var isLast: Bool
    var explanations: [DeviceExplanation]
  }

  /// So many that a chunk has about a quarter of a megabyte on the wire.
  private static let chunkLength = 100

  let catalog: Catalog
  /// How long the wiki is waited for.
  let patience: Duration

  var endpoints: [Endpoint] {
    [
      .get("explanations") { request, _ in try await changes(request) },
      .get("explanations/{number}") { try await explanation($1.parameters.require("number"), $0) },
    ]
  }

  /// Gives those that have changed.
  private func changes(_ request: Hummingbird.Request) async throws -> Hummingbird.Response {
    let query = request.uri.queryParameters
    let isSampleBox = catalog.snapshot.archive.isSampleBox
    do throws(CatalogError) {
      let totals = try await catalog.explanationTotals()
      var since = query["since"].flatMap { Int($0) } ?? 0
      // Of another box, or of a server that was restored from a backup: from the beginning.
      if (query["samples"] == "1") != isSampleBox || since > totals.change { since = 0 }
      let found = try await catalog.explanations(changedSince: since, limit: Self.chunkLength)
      let isLast = found.count < Self.chunkLength
      let chunk = Chunk(
        samples: isSampleBox,
        count: totals.pages,
        change: isLast ? totals.change : found.last?.change ?? totals.change,
        isLast: isLast,
        explanations: found.map { DeviceExplanation($0, isSample: isSampleBox) }
      )
      return try Self.payload(chunk).response(to: request)
    } catch {
      throw error.httpError
    }
  }

  /// Gives one, for which the wiki is asked where nothing is known of it yet: 404 where it has none.
  private func explanation(_ name: String, _ request: Hummingbird.Request) async throws
    -> Hummingbird.Response
  {
    let archive = catalog.snapshot.archive
    guard let number = Int(name).flatMap({ Comic.Number($0) }), archive.comic(number) != nil
    else { throw HTTPError(.notFound, message: "There is no such comic.") }
    let state: ExplanationState
    do throws(CatalogError) {
      state = try await catalog.explanation(of: number, within: patience)
    } catch {
      throw error.httpError
    }
    switch state {
    case .stored(let explanation):
      return try Self.payload(DeviceExplanation(explanation, isSample: archive.isSampleBox)).response(
        to: request
      )
    case .absent: throw HTTPError(.notFound, message: "explain xkcd has no explanation of this comic yet.")
    case .unknown: throw HTTPError(.serviceUnavailable, message: "explain xkcd does not answer now.")
    }
  }

  private static func payload(_ value: some Encodable) throws(CatalogError) -> EncodedBody {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let bytes = try? encoder.encode(value) else { throw .absent }
    return EncodedBody([UInt8](bytes), mediaType: "application/json", cacheControl: "no-cache")
  }
}
