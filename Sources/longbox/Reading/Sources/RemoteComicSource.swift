// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxStore

/// The comics of another Longbox.
///
/// The archive is kept in the cache folder, as the installed app keeps it on a phone. So each command fetches only
/// changes, and reading works while the server can't be reached.
struct RemoteComicSource: ComicSource {
  let client: ServerClient
  /// The folder with the copies.
  let folder: URL

  func archive() async throws -> Archive {
    let kept = segment("archive.lbx").flatMap { try? Archive($0) }
    let copy = (
      revision: kept?.revision ?? 0, rules: kept?.rules ?? 0, isSampleBox: kept?.isSampleBox ?? false
    )
    guard
      let bytes = try await update("/archive", copy, hasCopy: kept != nil, title: "Loading the comics’ text")
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
    let copy = (
      revision: kept?.revision ?? 0, rules: kept?.rules ?? 0, isSampleBox: kept?.isSampleBox ?? false
    )
    let title = "Loading the explanations’ index"
    guard let bytes = try await update("/explanations/index", copy, hasCopy: kept != nil, title: title) else {
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

  /// The update for a copy; nil if the copy is current, or if the server can't be reached and there is a copy.
  private func update(
    _ path: String,
    _ copy: (revision: Int, rules: Int, isSampleBox: Bool),
    hasCopy: Bool,
    title: String
  ) async throws -> [UInt8]? {
    let samples = copy.isSampleBox ? 1 : 0
    let target = "\(path)?since=\(copy.revision)&rules=\(copy.rules)&samples=\(samples)"
    let bar = ProgressBar(title)
    defer { bar.end() }
    do {
      let answer = try await client.get(target) { bar.update($0, of: $1) }
      switch answer.status {
      case 204, 304: return nil
      case 200: return answer.body
      default: throw unexpected(answer)
      }
    } catch ReaderError.unavailable(let reason) where hasCopy {
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

  /// Keeps a copy for the next command, which otherwise would fetch everything again.
  private func keep(_ segment: Segment, as name: String) {
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try? PrivateFile.write(segment.bytes, to: folder.appending(path: name))
  }
}
