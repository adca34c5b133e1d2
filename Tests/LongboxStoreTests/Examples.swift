// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore
import LongboxStore
import Testing

/// A comic number from a literal.
func number(_ value: Int) throws -> Comic.Number {
  try #require(Comic.Number(value))
}

/// A date, in seconds after one that all tests share.
func testDate(_ seconds: Int = 0) -> Date {
  Date(timeIntervalSince1970: 1_700_000_000 + TimeInterval(seconds))
}

/// A record whose title distinguishes it from others.
func record(_ value: Int, _ title: String = "Example", at date: Date = testDate()) throws -> FetchedRecord {
  FetchedRecord(
    number: try number(value),
    raw: Array(#"{"num": \#(value), "title": "\#(title)"}"#.utf8),
    fetchedAt: date
  )
}

/// Bytes that stand for a picture; the store does not decode them.
func pictureBytes(_ seed: Int, count: Int = 300) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ seed &* 7 &+ seed / 256) }
}

func picture(_ value: Int, seed: Int? = nil, lightness: Int = 250) throws -> FetchedPicture {
  let bytes = pictureBytes(seed ?? value)
  return FetchedPicture(
    number: try number(value),
    bytes: bytes,
    facts: PictureFacts(width: 20, height: 30, byteCount: bytes.count, format: .png, lightness: lightness),
    rulesVersion: 1,
    thumbnail: pictureBytes((seed ?? value) + 100_000, count: 40)
  )
}

/// The error of a folder that this process has open.
func inUse(_ folder: URL) -> StoreError {
  let arguments = ProcessInfo.processInfo.arguments
  let program = arguments.first.map { URL(filePath: $0).lastPathComponent } ?? ""
  return .inUse(folder: folder.path, by: "\(program) (process \(ProcessInfo.processInfo.processIdentifier))")
}

/// SQL dumps of the databases of earlier versions, see the folder's README.
enum EarlierStores {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Stores")

  /// The numbers of the last migrations of those that have a dump.
  static let versions =
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?
    .filter { $0.hasSuffix(".sql") }.compactMap { Int($0.prefix(3)) }.sorted() ?? []

  /// Creates the data folder that a version would have left.
  static func lay(_ version: Int, in target: URL) async throws {
    let dump = folder.appending(path: String(format: "%03d.sql", version))
    let sql = try String(contentsOf: dump, encoding: .utf8)
    try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
    let database = target.appending(path: "longbox.sqlite")
    for suffix in ["", "-wal", "-shm"] { unlink(database.path + suffix) }
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: database.path, configuration: configuration)
    try await queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }
}
