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
    let inspector = inspector ?? PictureInspector(logger: logger)
    let albums = Albums(
      store: store,
      client: ITunesClient(
        transport: transport,
        artwork: transport,
        limiter: SlidingWindowLimiter(limit: 1_000, span: .seconds(1), clock: ContinuousClock())
      ),
      wikipedia: WikipediaClient(transport: transport, address: try WikipediaAddress()),
      inspector: inspector,
      settings: settings,
      now: now,
      logger: logger
    )
    let repository = try await ComicRepository(
      store: store,
      client: XkcdClient(transport: transport),
      explain: ExplainClient(transport: transport),
      albums: albums,
      inspector: inspector,
      blank: .blank(isSampleBox: true),
      firstDoubleSize: .first,
      pictureMemory: 4 << 20,
      // The samples never change once they are shown.
      broadcaster: ChangeBroadcaster(),
      now: now,
      logger: logger
    )
    try await repository.comicFetcher.checkNewest()
    while case .worked = try await repository.backgroundFill.step() {}
    while case .worked = try await repository.explanationFetcher.step() {}
    try await repository.indexer.update()
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
