// Longbox
// SPDX-License-Identifier: MIT

import Testing
import TestSupport

@testable import LongboxCore

/// A server and some devices; messages travel as bytes and clocks may be wrong.
struct SyncWorld {
  struct Peer {
    var replica: Replica
    /// The difference of the device's clock from the true time, in milliseconds.
    var skew: Int64 = 0
  }

  var now = LibrarySamples.start
  var server = Library()
  var serverSkew: Int64 = 0
  var epoch: UInt64 = 1000
  var peers: [Peer]
  private var nonce: UInt64 = 0

  init(devices: Int) {
    peers = (0..<devices).map { Peer(replica: Replica(device: UInt64($0 + 1))) }
  }

  func time(of peer: Int) -> UInt64 { UInt64(Int64(now) + peers[peer].skew) }
  var serverTime: UInt64 { UInt64(Int64(now) + serverSkew) }

  @discardableResult
  mutating func edit<Result>(_ peer: Int, _ change: (inout Library, EditTime) throws -> Result) rethrows
    -> Result
  {
    now += 1
    let time = time(of: peer)
    return try peers[peer].replica.edit(at: time, change)
  }

  mutating func request(from peer: Int) -> [UInt8] {
    nonce += 1
    return peers[peer].replica.request(nonce: nonce).encoded()
  }

  mutating func answer(_ request: [UInt8]) throws -> [UInt8] {
    let reply = try server.answer(SyncRequest(decoding: request), epoch: epoch, at: serverTime)
    server = try Library(decoding: server.encoded())
    return reply.encoded()
  }

  mutating func receive(_ reply: [UInt8], on peer: Int) throws -> SyncProgress {
    try peers[peer].replica.receive(SyncReply(decoding: reply), at: time(of: peer))
  }

  /// Syncs one device over a connection without faults, as a host does.
  /// - Returns: the number of exchanges.
  @discardableResult
  mutating func sync(_ peer: Int, _ comment: Comment? = nil) throws -> Int {
    for exchange in 1...5 {
      now += 1
      let progress = try receive(answer(request(from: peer)), on: peer)
      if progress == .settled { return exchange }
      #expect(progress == .again, comment)
    }
    Issue.record("no end of exchanges, \(comment?.rawValue ?? "")")
    return 6
  }

  mutating func syncAll(rounds: Int = 2, _ comment: Comment? = nil) throws {
    for _ in 0..<rounds {
      for peer in peers.indices { try sync(peer, comment) }
    }
  }

  /// Whether all copies hold the same content.
  var isSettled: Bool {
    peers.allSatisfy { $0.replica.library.changes(since: nil).content == server.changes(since: nil).content }
  }
}
