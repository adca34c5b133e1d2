// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxPages

/// The pages on the reader's own device: one archive, opened once, and an answer for each request.
struct Device {
  private let archive: Archive

  /// Opens an archive that the host has written into memory.
  /// - Throws: `ArchiveError` where the bytes are no archive.
  init(archive bytes: [UInt8]) throws(ArchiveError) {
    archive = try Archive(Segment(bytes))
  }

  /// Answers a request.
  /// - Parameters:
  ///   - address: the path, with the query after a question mark where there is one.
  ///   - chance: a number by chance.
  /// - Returns: u16 status, u16 zero, u32 length of the location, both little-endian; the location; the page.
  func reply(to address: [UInt8], chance: UInt64) -> [UInt8] {
    let parts = address.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    let request = Request(
      path: Text(parts[0]),
      query: parts.count > 1 ? Text(parts[1]) : .empty,
      chance: chance
    )
    var library = Replica(device: 0)
    let response = respond(to: request, archive: archive, library: &library, shelf: Shelf())
    var reply: [UInt8] = []
    reply.reserveCapacity(8 + response.location.count + response.body.count)
    for shift in [0, 8] { reply.append(UInt8(truncatingIfNeeded: response.status >> shift)) }
    reply += [0, 0]
    for shift in [0, 8, 16, 24] { reply.append(UInt8(truncatingIfNeeded: response.location.count >> shift)) }
    reply += response.location.bytes
    reply += response.body
    return reply
  }
}
