// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import NIOCore
import Synchronization

/// The recorded comics of xkcd, how many are published, and changes made to them.
///
/// All records are slices of one buffer; pictures are read from disk on request.
final class XkcdRecording: Sendable {
  /// The mutable state, which a reset replaces at once.
  struct State: Sendable {
    var records: [Int: XkcdRecord] = [:]
    /// The newest published comic.
    var latest = 0
    /// When it was published, if during this run.
    var publishedAt: Date?
    /// The first comic with a picture, by decoded picture name.
    var owners: [String: Int] = [:]
    /// Pictures sent to the control address, by decoded name.
    var pictures: [String: StoredFile] = [:]
  }

  /// Recorded files, by decoded picture name.
  let files: [String: URL]
  let state: Mutex<State>
  private let initial: State

  /// Reads `comics.jsonl` and the names in `images/`.
  /// - Parameter latest: the newest comic published at the start; nil for the newest recorded.
  init(folder: URL, latest: Int?) throws(RecordingError) {
    let path = folder.appending(path: "comics.jsonl")
    var start = State()
    start.records = try Self.records(in: path)
    guard let oldest = start.records.keys.min(), let newest = start.records.keys.max() else {
      throw .empty(path: path.path)
    }
    if let latest, start.records[latest] == nil {
      throw .latestNotRecorded(latest, oldest: oldest, newest: newest)
    }
    start.latest = latest ?? newest
    for record in start.records.values { start.own(record) }
    files = Self.pictures(in: folder.appending(path: "images"))
    initial = start
    state = Mutex(start)
  }

  /// The newest published comic.
  var latest: Int { state.withLock { $0.latest } }

  /// The record of a published comic; nil if there is none.
  func published(_ number: Int) -> XkcdRecord? {
    state.withLock { $0.published(number) }
  }

  func reset() {
    state.withLock { $0 = initial }
  }

  private static func records(in file: URL) throws(RecordingError) -> [Int: XkcdRecord] {
    let data: Data
    do {
      data = try Data(contentsOf: file)
    } catch {
      throw .unreadable(path: file.path, reason: error.localizedDescription)
    }
    let text = ByteBuffer(bytes: data)
    var records: [Int: XkcdRecord] = [:]
    var start = 0
    var line = 0
    while start < data.count {
      line += 1
      let end = data[start...].firstIndex(of: 0x0A) ?? data.count
      defer { start = end + 1 }
      guard end > start, let json = text.getSlice(at: start, length: end - start) else { continue }
      do {
        let record = try XkcdRecord(json: json)
        records[record.number] = record
      } catch {
        throw .badLine(path: file.path, line: line, reason: error.description)
      }
    }
    return records
  }

  /// The recorded pictures, by decoded name; none if the folder is missing.
  ///
  /// File names are percent-encoded, as in the addresses.
  private static func pictures(in folder: URL) -> [String: URL] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return Dictionary(
      names.compactMap { name in
        name.removingPercentEncoding.map { ($0, folder.appendingPathComponent(name)) }
      },
      uniquingKeysWith: { first, _ in first }
    )
  }
}

extension XkcdRecording.State {
  /// The record of a published comic; nil if there is none.
  func published(_ number: Int) -> XkcdRecord? {
    number <= latest ? records[number] : nil
  }

  /// Stores which comic a picture belongs to; the lower of two numbers wins.
  mutating func own(_ record: XkcdRecord) {
    guard let name = record.pictureName.removingPercentEncoding, !name.isEmpty else { return }
    owners[name] = min(owners[name] ?? record.number, record.number)
  }
}
