// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing
import TestSupport

@testable import longbox_replay

/// Plays back the real records.
///
/// They are not part of the repository, so a plain clone skips this suite.
@Suite(
  .enabled(
    if: RecordedData.isPresent,
    "no recorded data: set LONGBOX_SHARED to the folder above data/"
  )
)
struct RecordedDataTests {
  /// One comic in two hundred, and those with odd pictures; a placeholder takes a fifth of a second to draw
  /// in a debug build.
  private static let sample =
    Array(stride(from: 1, through: 3282, by: 200)) + [2, 859, 961, 1036, 1037, 1446, 1608, 1663]

  private func withRecordedData(_ test: @Sendable (any TestClientProtocol) async throws -> Void) async throws
  {
    let folder = try #require(RecordedData.folder)
    let replayed = try Replayed(folder: folder, now: { Date() }, clock: ContinuousClock())
    try await Application(router: replayed.router(), logger: .quiet).test(.router) { try await test($0) }
  }

  @Test func `serves all records byte by byte`() async throws {
    let folder = try #require(RecordedData.folder)
    let lines = try String(contentsOf: folder.appending(path: "xkcd/comics.jsonl"), encoding: .utf8)
      .split(separator: "\n")
    #expect(lines.count == 3_281)
    try await withRecordedData { client in
      for (index, line) in lines.enumerated() {
        // The lines are sorted, and 404 has none.
        let number = index + (index < 403 ? 1 : 2)
        let response = try await client.executeRequest(
          uri: "/\(number)/info.0.json",
          method: .get,
          headers: [:],
          body: nil
        )
        #expect(response.text == line, "comic \(number)")
      }
      let latest = try await client.executeRequest(uri: "/info.0.json", method: .get, headers: [:], body: nil)
      #expect(latest.text == lines.last.map(String.init))
    }
  }

  @Test func `serves a picture for every comic that has one`() async throws {
    struct Record: Decodable { let num: Int, img: String }
    try await withRecordedData { client in
      for number in Self.sample where number != 404 {
        let json = try await client.executeRequest(
          uri: "/\(number)/info.0.json",
          method: .get,
          headers: [:],
          body: nil
        )
        let record = try json.decoded(Record.self)
        let path = record.img.replacing("https://imgs.xkcd.com", with: "")
        let picture = try await client.executeRequest(uri: path, method: .get, headers: [:], body: nil)
        let isWithout = [1608, 1663].contains(number)
        #expect(picture.status == (isWithout ? .notFound : .ok), "comic \(number): \(path)")
        guard !isWithout, let format = PictureFormat(fileName: path) else { continue }
        let magic: [PictureFormat: [UInt8]] = [
          .png: [0x89, 0x50], .jpeg: [0xFF, 0xD8], .gif: [0x47, 0x49],
        ]
        #expect(picture.body.readableBytesView.starts(with: magic[format] ?? []), "comic \(number)")
      }
    }
  }
}
