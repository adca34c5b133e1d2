// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import Logging
import LongboxCore
import LongboxStore
public import LongboxUpstream

/// Comics and albums made for Longbox and built in, which a transport serves from files without network.
public enum SampleBox {
  /// The folder with the samples, or nil if it was not installed.
  public static var folder: URL? {
    let folder = Bundle.module.resourceURL?.appending(path: "SampleBox")
    return folder.flatMap { FileManager.default.fileExists(atPath: $0.path) ? $0 : nil }
  }

  /// The samples as a repository, for a start without network or data.
  /// - Parameters:
  ///   - samples: the folder with the samples.
  ///   - folder: where their store is rebuilt each time.
  ///   - settings: the operator's settings for albums.
  ///   - inspector: decodes pictures; nil for one of its own.
  ///   - now: the time.
  ///   - logger: logs failures.
  /// - Throws: errors of reading the samples or writing the store.
  public static func repository(
    from samples: URL,
    in folder: URL,
    settings: Albums.Settings = Albums.Settings(),
    inspector: PictureInspector? = nil,
    now: @escaping @Sendable () -> Date = { Date() },
    logger: Logger
  ) async throws -> ComicRepository {
    try? FileManager.default.removeItem(at: folder)
    let transport = try transport(from: samples)
    let store = try Store.open(folder)
    let repository = try await ComicRepository(
      store: store,
      sources: ComicRepository.Sources(
        xkcd: XkcdClient(transport: transport),
        explain: ExplainClient(transport: transport),
        itunes: ITunesClient(
          transport: transport,
          artwork: transport,
          limiter: RequestLimiter(limit: 1_000, span: .seconds(1), clock: ContinuousClock())
        ),
        wikipedia: WikipediaClient(transport: transport, address: try WikipediaAddress())
      ),
      isSampleBox: true,
      albums: settings,
      inspector: inspector ?? PictureInspector(logger: logger),
      pictureMemory: 4 << 20,
      now: now,
      logger: logger
    )
    try await repository.records.checkNewest()
    while case .worked = try await repository.backgroundFill.step() {}
    while case .worked = try await repository.explanations.step() {}
    try await repository.publisher.updateIndex()
    return repository
  }

  /// A transport that answers from a folder with `records.jsonl`, `explanations.jsonl`, `albums.tsv`,
  /// `images/` and `covers/`.
  /// - Throws: errors of reading the folder.
  public static func transport(from folder: URL) throws -> Transport {
    let records = try Data(contentsOf: folder.appending(path: "records.jsonl"))
      .split(separator: UInt8(ascii: "\n"))
      .map { [UInt8]($0) }
    var byPath: [String: [UInt8]] = [:]
    for raw in records {
      guard let record = try? XkcdRecord(raw: raw) else { continue }
      byPath["/\(record.number.value)/info.0.json"] = raw
    }
    byPath["/info.0.json"] = records.last
    let replies = byPath
    let images = folder.appending(path: "images")
    let explanations = SampleExplanations(file: folder.appending(path: "explanations.jsonl"))
    let albums = SampleAlbums(folder: folder)
    return Transport { exchange throws(UpstreamError) in
      let target = exchange.address.target
      let body =
        switch exchange.source {
        case .xkcd: replies[target] ?? picture(named: target, in: images)
        case .explain: explanations.reply(to: target)
        case .itunes: albums.store(target)
        case .artwork: albums.cover(target)
        case .wikipedia: albums.article(target)
        }
      return Reply(status: body == nil ? 404 : 200, body: body ?? [], address: exchange.address)
    }
  }

  /// The bytes of `/comics/NAME`; the name is a single path component.
  private static func picture(named target: String, in folder: URL) -> [UInt8]? {
    guard target.hasPrefix("/comics/") else { return nil }
    let name = target.dropFirst("/comics/".count)
    guard !name.contains("/"), !name.hasPrefix("."), !name.contains("%") else { return nil }
    return (try? Data(contentsOf: folder.appending(path: String(name)))).map { [UInt8]($0) }
  }
}

/// The sample box's explanations, in the replies of explain xkcd's API.
private struct SampleExplanations: Sendable {
  private struct Line: Decodable {
    var num: Int
    var explanation: String
  }

  private struct Body: Encodable {
    struct Slot: Encodable {
      var content: String
    }

    struct Revision: Encodable {
      var revid: Int
      var timestamp: String
      var slots: [String: Slot]
    }

    struct Page: Encodable {
      var title: String
      var missing: Bool?
      var revisions: [Revision]?
    }

    var query: [String: [Page]]
  }

  private let texts: [Int: String]

  /// Reads a file's lines; if there is no file, there are no explanations.
  init(file: URL) {
    let lines = (try? Data(contentsOf: file))?.split(separator: UInt8(ascii: "\n")) ?? []
    let decoder = JSONDecoder()
    let decoded = lines.compactMap { try? decoder.decode(Line.self, from: $0) }
    texts = Dictionary(decoded.map { ($0.num, $0.explanation) }) { first, _ in first }
  }

  /// The reply to a request for pages, by its `titles`.
  func reply(to target: String) -> [UInt8] {
    let titles = URLComponents(string: target)?.queryItems?.first { $0.name == "titles" }?.value ?? ""
    let pages = titles.split(separator: "|").map { title in
      guard let number = Int(title), let text = texts[number] else {
        return Body.Page(title: String(title), missing: true)
      }
      // The samples have no date, because they are never edited.
      let revision = Body.Revision(revid: 1, timestamp: "", slots: ["main": .init(content: text)])
      return Body.Page(title: String(title), revisions: [revision])
    }
    return (try? JSONEncoder().encode(Body(query: ["pages": pages]))).map { [UInt8]($0) } ?? []
  }
}

/// The sample box's artists and albums, in the replies of the iTunes Store and Wikipedia.
private struct SampleAlbums: Sendable {
  /// Replies, or rows of replies, by question: `artist/NAME`, `albums/ID`, `tracks/ID`, `article/NAME`.
  private let lines: [(question: String, reply: String)]
  private let covers: URL

  /// Reads `albums.tsv` and finds `covers/`; if there is no such file, there are no albums.
  init(folder: URL) {
    let text = (try? String(contentsOf: folder.appending(path: "albums.tsv"), encoding: .utf8)) ?? ""
    lines = text.split(separator: "\n").compactMap { line in
      guard let tab = line.firstIndex(of: "\t") else { return nil }
      return (String(line[..<tab]), String(line[line.index(after: tab)...]))
    }
    covers = folder.appending(path: "covers")
  }

  /// The store's reply to a request; `*` as a name finds all artists.
  func store(_ target: String) -> [UInt8] {
    let fields = Self.fields(of: target)
    if let term = fields["term"] {
      let words = Self.folded(term).split(separator: " ")
      let rows = rows("artist/").filter { line in
        term == "*" || words.allSatisfy { Self.folded(line.name).contains($0) }
      }
      let list = rows.map(\.reply).joined(separator: ",")
      return Array("\n\n{\"resultCount\":\(rows.count),\"results\":[\(list)]}".utf8)
    }
    let kind = fields["entity"] == "song" ? "tracks" : "albums"
    let reply = lines.first { $0.question == "\(kind)/\(fields["id"] ?? "")" }?.reply
    return Array((reply ?? "{\"resultCount\":0,\"results\":[]}").utf8)
  }

  /// Wikipedia's reply to a search; the words in quotes are the page's name.
  func article(_ target: String) -> [UInt8] {
    let words =
      Self.fields(of: target)["gsrsearch"]?.split(separator: "\"", omittingEmptySubsequences: false) ?? []
    let name = words.count > 1 ? Self.folded(String(words[1])) : ""
    let found = rows("article/").first { Self.folded($0.name) == name }
    let query = found.map { ",\"query\":{\"pages\":[\($0.reply)]}" } ?? ""
    return Array("{\"batchcomplete\":true\(query)}".utf8)
  }

  /// A cover at `/samples/NAME/600x600bb.png`; the name is a single path component.
  func cover(_ target: String) -> [UInt8]? {
    let parts = target.split(separator: "/")
    guard parts.count == 3, parts[0] == "samples" else { return nil }
    let name = String(parts[1])
    guard name.utf8.allSatisfy({ (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-") }) else { return nil }
    let file = parts[2].hasPrefix("600x") ? "\(name).png" : "\(name)_small.png"
    return (try? Data(contentsOf: covers.appending(path: file))).map { [UInt8]($0) }
  }

  private func rows(_ prefix: String) -> [(name: String, reply: String)] {
    lines.filter { $0.question.hasPrefix(prefix) }
      .map { (name: String($0.question.dropFirst(prefix.count)), reply: $0.reply) }
  }

  private static func folded(_ text: String) -> String {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }

  private static func fields(of target: String) -> [String: String] {
    let items = URLComponents(string: target)?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
  }
}
