// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import NIOCore
import Synchronization

extension XkcdRecording {
  /// Publishes a recorded comic and all before it; by default the next recorded comic.
  /// - Returns: the number of the latest comic.
  func publish(_ number: Int?, now: Date) throws(XkcdChangeError) -> Int {
    try state.withLock { state throws(XkcdChangeError) in
      guard let number = number ?? state.records.keys.filter({ $0 > state.latest }).min() else {
        throw .nothingAbove(state.latest)
      }
      guard state.records[number] != nil else { throw .notRecorded(number) }
      guard number > state.latest else { throw .alreadyPublished(number, latest: state.latest) }
      state.latest = number
      state.publishedAt = now
      return number
    }
  }

  /// Publishes a comic that isn't recorded, with its picture or a placeholder.
  /// - Returns: the number of the latest comic.
  func publish(record json: ByteBuffer, picture: ByteBuffer?, now: Date) throws(XkcdChangeError) -> Int {
    let record = try Self.record(json, now: now)
    return try state.withLock { state throws(XkcdChangeError) in
      guard state.published(record.number) == nil else {
        throw .alreadyPublished(record.number, latest: state.latest)
      }
      try state.keep(record, picture: picture, now: now)
      state.latest = max(state.latest, record.number)
      state.publishedAt = now
      return state.latest
    }
  }

  /// Changes a comic's fields, its picture, or both, as its author sometimes does.
  func replace(
    _ number: Int,
    fields: [String: JSONValue],
    picture: ByteBuffer?,
    now: Date
  ) throws(XkcdChangeError) {
    try state.withLock { state throws(XkcdChangeError) in
      guard let old = state.records[number] else { throw .notRecorded(number) }
      guard !fields.isEmpty else { return try state.keep(old, picture: picture, now: now) }
      let json: ByteBuffer
      do {
        json = try JSONValue.object(in: old.json, merging: fields)
      } catch {
        throw .record(.malformed("\(error)"))
      }
      let record = try Self.record(json, now: now)
      guard record.number == number else {
        throw .record(.malformed("'num' can't be changed; the fault 'wrongNumber' sends another one."))
      }
      try state.keep(record, picture: picture, now: now)
    }
  }

  private static func record(_ json: ByteBuffer, now: Date) throws(XkcdChangeError) -> XkcdRecord {
    do { return try XkcdRecord(json: json, lastModified: now) } catch { throw .record(error) }
  }
}

extension XkcdRecording.State {
  fileprivate mutating func keep(_ record: XkcdRecord, picture: ByteBuffer?, now: Date)
    throws(XkcdChangeError)
  {
    if let picture {
      guard let name = record.pictureName.removingPercentEncoding, !name.isEmpty else {
        throw .pictureWithoutName(record.number)
      }
      guard picture.readableBytes > 0 else { throw .emptyPicture(record.number) }
      let mediaType = PictureFormat(fileName: name)?.mediaType ?? "application/octet-stream"
      pictures[name] = StoredFile(bytes: picture, mediaType: mediaType, lastModified: now)
    }
    records[record.number] = record
    own(record)
  }
}
