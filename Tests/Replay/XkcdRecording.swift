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
  init(folder: URL, latest: Int?) throws(ReplayError) {
    let path = folder.appending(path: "comics.jsonl")
    var start = State()
    start.records = try Self.records(in: path)
    guard let oldest = start.records.keys.min(), let newest = start.records.keys.max() else {
      throw ReplayError("\(path.path) holds no comic, so there is nothing to play back.")
    }
    if let latest, start.records[latest] == nil {
      throw ReplayError(
        "Comic \(latest) is not recorded, so it can't be the latest; there are \(oldest) to \(newest)."
      )
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

  /// The published comic that a picture with a decoded name belongs to.
  func owner(of picture: String) -> XkcdRecord? {
    state.withLock { state in state.owners[picture].flatMap { state.published($0) } }
  }

  func reset() {
    state.withLock { $0 = initial }
  }

  /// Publishes a recorded comic and all before it; by default the next recorded comic.
  /// - Returns: the number of the latest comic.
  func publish(_ number: Int?) throws(ReplayError) -> Int {
    try state.withLock { state throws(ReplayError) in
      guard let number = number ?? state.records.keys.filter({ $0 > state.latest }).min() else {
        throw ReplayError(
          "Nothing is recorded above \(state.latest): send a whole 'record' to publish a new comic."
        )
      }
      guard state.records[number] != nil else { throw Self.notRecorded(number) }
      guard number > state.latest else { throw state.alreadyPublished(number) }
      state.latest = number
      return number
    }
  }

  /// Publishes a comic that isn't recorded, with its picture or a placeholder.
  /// - Returns: the number of the latest comic.
  func publish(record json: ByteBuffer, picture: ByteBuffer?, now: Date) throws(ReplayError) -> Int {
    let record = try XkcdRecord(json: json, lastModified: now)
    return try state.withLock { state throws(ReplayError) in
      guard state.published(record.number) == nil else {
        throw state.alreadyPublished(record.number)
      }
      try state.keep(record, picture: picture, now: now)
      state.latest = max(state.latest, record.number)
      return state.latest
    }
  }

  /// Changes a comic's fields, its picture, or both, as its author sometimes does.
  func replace(
    _ number: Int,
    fields: [String: JSONValue],
    picture: ByteBuffer?,
    now: Date
  ) throws(ReplayError) {
    try state.withLock { state throws(ReplayError) in
      guard let old = state.records[number] else { throw Self.notRecorded(number) }
      guard !fields.isEmpty else { return try state.keep(old, picture: picture, now: now) }
      let json: ByteBuffer
      do {
        json = try JSONValue.object(in: old.json, merging: fields)
      } catch {
        throw XkcdRecord.malformed("\(error)")
      }
      let record = try XkcdRecord(json: json, lastModified: now)
      guard record.number == number else {
        throw XkcdRecord.malformed("'num' can't be changed; the fault 'wrongNumber' sends another one.")
      }
      try state.keep(record, picture: picture, now: now)
    }
  }

  private static func notRecorded(_ number: Int) -> ReplayError {
    ReplayError("Comic \(number) is not recorded: send a whole 'record' to publish it.")
  }

  private static func records(in file: URL) throws(ReplayError) -> [Int: XkcdRecord] {
    let data: Data
    do {
      data = try Data(contentsOf: file)
    } catch {
      let reason = error.localizedDescription
      throw ReplayError(
        "\(file.path) can't be read (\(reason)). --data takes a folder that holds xkcd/comics.jsonl."
      )
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
        throw ReplayError("Line \(line) of \(file.path): \(error.description)")
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

  fileprivate func alreadyPublished(_ number: Int) -> ReplayError {
    ReplayError("Comic \(number) is out already (the latest is \(latest)): change it by /_replay/replace.")
  }

  fileprivate mutating func keep(_ record: XkcdRecord, picture: ByteBuffer?, now: Date)
    throws(ReplayError)
  {
    if let picture {
      guard let name = record.pictureName.removingPercentEncoding, !name.isEmpty else {
        throw ReplayError(
          "The 'img' of comic \(record.number) names no file, so there is nowhere to serve its 'picture'."
        )
      }
      guard picture.readableBytes > 0 else {
        throw ReplayError("The 'picture' for comic \(record.number) is empty.")
      }
      pictures[name] = StoredFile(bytes: picture, mediaType: Picture.mediaType(of: name), lastModified: now)
    }
    records[record.number] = record
    own(record)
  }
}

/// A comic's JSON from xkcd's API, with the fields that replaying needs.
struct XkcdRecord: Sendable {
  let number: Int
  /// The last part of `img`, percent-encoded as in the record; empty if the comic has no picture.
  let pictureName: String
  /// The JSON, byte for byte as recorded.
  let json: ByteBuffer
  /// The day of publication at 04:00 UTC, or the time of replacement.
  let lastModified: Date

  /// Parses a record; `lastModified` defaults to the date of publication.
  init(json: ByteBuffer, lastModified: Date? = nil) throws(ReplayError) {
    let fields: Fields
    do {
      fields = try JSONDecoder().decode(Fields.self, from: Data(json.readableBytesView))
    } catch let error as DecodingError {
      throw Self.malformed(error.sentence(about: "It"))
    } catch {
      throw Self.malformed("\(error)")
    }
    guard fields.num > 0 else {
      throw Self.malformed("'num' is \(fields.num), and comics are numbered from 1.")
    }
    guard let date = fields.date else { throw Self.malformed("'year', 'month' and 'day' are not a date.") }
    self.number = fields.num
    self.pictureName =
      fields.img.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    self.json = json
    self.lastModified = lastModified ?? date
  }

  static func malformed(_ reason: String) -> ReplayError {
    ReplayError("This is not a record of xkcd's API: \(reason)")
  }

  private struct Fields: Decodable {
    let num: Int
    let img: String
    let year: String
    let month: String
    let day: String

    /// 04:00 UTC of the day; nil unless year, month and day are numbers in range.
    var date: Date? {
      let date = DateComponents(
        calendar: HTTPDate.calendar,
        year: Int(year),
        month: Int(month),
        day: Int(day),
        hour: 4
      )
      guard date.year != nil, date.month != nil, date.day != nil, date.isValidDate else { return nil }
      return date.date
    }
  }
}
