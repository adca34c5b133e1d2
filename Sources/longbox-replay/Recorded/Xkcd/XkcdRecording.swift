// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import NIOCore
import Synchronization

/// What is recorded of xkcd, which comics of it are published already, and what their author has changed since.
///
/// The text of all comics is held as one buffer, of which each record is a slice; pictures stay on disk until asked for.
final class XkcdRecording: Sendable {
  /// All that can change, so that a reset is one assignment.
  struct State: Sendable {
    var records: [Int: XkcdRecord] = [:]
    /// The newest number that is out.
    var latest = 0
    /// When that became so, if it was while this program ran.
    var publishedAt: Date?
    /// Decoded picture name to the first comic that shows it.
    var owners: [String: Int] = [:]
    /// Decoded picture name to a picture that was sent to the control address.
    var pictures: [String: StoredFile] = [:]
  }

  /// Decoded picture name to the recorded file.
  let files: [String: URL]
  let state: Mutex<State>
  private let initial: State

  /// Reads `comics.jsonl` and the names in `images/`.
  /// - Parameter latest: the newest comic that is published at first; the newest recorded where nil.
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

  /// The newest comic that is out.
  var latest: Int { state.withLock { $0.latest } }

  /// The record of a comic, if it is recorded and out.
  func published(_ number: Int) -> XkcdRecord? {
    state.withLock { $0.published(number) }
  }

  /// Back to how it was when the program started.
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

  /// The recorded pictures; none where there is no such folder.
  ///
  /// A name on disk is the one in the address, still encoded.
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
  /// The record of a comic that is out.
  func published(_ number: Int) -> XkcdRecord? {
    number <= latest ? records[number] : nil
  }

  /// Notes whose picture it is; the first of two comics that share one keeps it.
  mutating func own(_ record: XkcdRecord) {
    guard let name = record.pictureName.removingPercentEncoding, !name.isEmpty else { return }
    owners[name] = min(owners[name] ?? record.number, record.number)
  }
}
