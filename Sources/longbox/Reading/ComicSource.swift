// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCatalog
import LongboxCore
import LongboxPages
import LongboxStore

/// Where a reader's comics come from: this machine's data folder, or another Longbox.
protocol ComicSource: Sendable {
  /// All comics' text.
  func archive() async throws -> Archive
  func results(for question: SearchQuestion) async throws -> SearchResults
  /// A comic's explanation; nil if there is none.
  func explanation(of number: Comic.Number) async throws -> ComicExplanation?
  /// The file of a comic's picture; nil if there is none.
  func picture(of number: Comic.Number, doubleSize: Bool) async throws -> [UInt8]?
}

extension ComicSource {
  /// A comic.
  /// - Throws: `ReaderError.missing` if it is not there.
  func comic(_ number: Comic.Number) async throws -> ArchivedComic {
    let archive = try await archive()
    if let comic = archive.comic(number) { return comic }
    let latest = try Self.latest(in: archive).number
    throw ReaderError.missing(
      number > latest
        ? "There is no comic \(number.value) yet: the latest here is \(latest.value)."
        : "Comic \(number.value) is not stored yet: “longbox serve” fetches it."
    )
  }

  static func latest(in archive: Archive) throws -> ArchivedComic {
    guard let latest = archive.latest else {
      throw ReaderError.missing("No comic is stored yet: start “longbox serve” or “longbox import” first.")
    }
    return latest
  }
}

/// An explanation from explain xkcd, as text.
struct ComicExplanation: Codable, Equatable {
  var number: Int
  var lead: String?
  var text: String
  var date: String?
  var incomplete: Bool
  /// The wiki's page and licence; nil for samples.
  var source: String?
  var licence: String?
}

/// The comics in this machine's store, beside a running server or without one.
///
/// It only reads the store, and sends no requests.
struct StoredComicSource: ComicSource {
  private let store: Store

  /// Opens the store.
  /// - Throws: `StoreError`.
  init(_ location: StoreLocation) async throws {
    store = try await Store.openReading(location)
  }

  func archive() async throws -> Archive { try await Archive.stored(in: store) }

  func results(for question: SearchQuestion) async throws -> SearchResults {
    try await StoredSearch(store).results(for: question)
  }

  func explanation(of number: Comic.Number) async throws -> ComicExplanation? {
    guard case .stored(let explanation) = try await ExplanationState.stored(of: number, in: store) else {
      return nil
    }
    return ComicExplanation(
      number: number.value,
      lead: explanation.lead.isEmpty ? nil : explanation.lead.description,
      text: explanation.document.plainText.description,
      date: explanation.date?.iso8601.description,
      incomplete: explanation.isIncomplete,
      source: Link.explainXkcd(number).address.description,
      licence: "CC BY-SA 3.0"
    )
  }

  func picture(of number: Comic.Number, doubleSize: Bool) async throws -> [UInt8]? {
    let kind = doubleSize ? PictureKind.doubleSize : .standard
    guard let picture = try await store.pictures.picture(kind, of: number) else { return nil }
    return try await store.pictures.bytes(of: picture)
  }
}

/// The comics of another Longbox.
///
/// The archive is kept in the cache folder, as the installed app keeps it on a phone. So each command fetches only
/// changes, and reading works while the server can't be reached.
struct RemoteComicSource: ComicSource {
  let client: ServerClient
  let folder: URL

  func archive() async throws -> Archive {
    let kept = segment("archive.lbx").flatMap { try? Archive($0) }
    let version = (
      revision: kept?.revision ?? 0, rules: kept?.rules ?? 0, isSampleBox: kept?.isSampleBox ?? false
    )
    guard
      let bytes = try await update(
        "/archive",
        since: version,
        isKept: kept != nil,
        title: "Loading the comics’ text"
      )
    else {
      if let kept { return kept }
      return try Archive.empty()
    }
    let segment = try segment(in: bytes)
    let archive = try segment.base == 0 ? Archive(segment) : (kept ?? .empty()).adding(segment)
    keep(try archive.compacted().segments[0], as: "archive.lbx")
    return archive
  }

  func results(for question: SearchQuestion) async throws -> SearchResults {
    Search(archive: try await archive(), explanations: try await explanationIndex()).results(for: question)
  }

  private func explanationIndex() async throws -> ExplanationIndex {
    let kept = segment("explanations.lbx").flatMap { try? ExplanationIndex($0) }
    let version = (
      revision: kept?.revision ?? 0, rules: kept?.rules ?? 0, isSampleBox: kept?.isSampleBox ?? false
    )
    let title = "Loading the explanations’ index"
    guard
      let bytes = try await update("/explanations/index", since: version, isKept: kept != nil, title: title)
    else {
      return try kept ?? .empty()
    }
    let segment = try segment(in: bytes)
    let index = try segment.base == 0 ? ExplanationIndex(segment) : (kept ?? .empty()).adding(segment)
    keep(try index.compacted().segments[0], as: "explanations.lbx")
    return index
  }

  func explanation(of number: Comic.Number) async throws -> ComicExplanation? {
    let answer = try await client.get("/api/comics/\(number.value)/explanation")
    if answer.status == 404 { return nil }
    return try decoded(answer)
  }

  func picture(of number: Comic.Number, doubleSize: Bool) async throws -> [UInt8]? {
    let answer = try await client.get("/comics/\(number.value)/\(doubleSize ? "image@2x" : "image")")
    return answer.status == 200 ? answer.body : nil
  }

  /// What has changed since a version; nil if that is current, or if it is kept and the server can't be reached.
  private func update(
    _ path: String,
    since version: (revision: Int, rules: Int, isSampleBox: Bool),
    isKept: Bool,
    title: String
  ) async throws -> [UInt8]? {
    let samples = version.isSampleBox ? 1 : 0
    let target = "\(path)?since=\(version.revision)&rules=\(version.rules)&samples=\(samples)"
    let bar = ProgressBar(title)
    defer { bar.end() }
    do {
      let answer = try await client.get(target) { bar.update($0, of: $1) }
      switch answer.status {
      case 204, 304: return nil
      case 200: return answer.body
      default: throw unexpected(answer)
      }
    } catch ReaderError.unavailable(let reason) where isKept {
      Console.remark("\(reason) This is the copy from the last time.")
      return nil
    }
  }

  private func decoded<Value: Decodable>(_ response: ServerClient.Response) throws -> Value {
    guard response.status == 200 else { throw unexpected(response) }
    do {
      return try JSONDecoder().decode(Value.self, from: Data(response.body))
    } catch {
      throw ReaderError.foreignAnswer(of: client.server)
    }
  }

  private func unexpected(_ response: ServerClient.Response) -> ReaderError {
    .unavailable(
      "\(client.server) answers with status \(response.status). Check the address, and try again later."
    )
  }

  private func segment(in bytes: [UInt8]) throws -> Segment {
    do {
      return try Segment(bytes)
    } catch {
      throw ReaderError.malformed(
        "\(client.server) sends comics that can’t be read (\(error)). Is it a Longbox?"
      )
    }
  }

  private func segment(_ name: String) -> Segment? {
    (try? PrivateFile.read(folder.appending(path: name))).flatMap { try? Segment($0) }
  }

  /// Keeps a segment for the next command, which otherwise would fetch everything again.
  private func keep(_ segment: Segment, as name: String) {
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try? PrivateFile.write(segment.bytes, to: folder.appending(path: name))
  }
}
