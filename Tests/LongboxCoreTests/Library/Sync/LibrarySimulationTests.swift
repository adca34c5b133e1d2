// Longbox
// SPDX-License-Identifier: MIT

import Testing
import TestSupport

@testable import LongboxCore

/// Three devices and a server with random edits, over a connection that loses, repeats and reorders messages.
private struct Simulation {
  struct Message {
    var peer: Int
    var bytes: [UInt8]
  }

  var world = SyncWorld(devices: 3)
  var random: SeededGenerator
  var requests: [Message] = []
  var replies: [Message] = []
  var backups: [Library] = []
  var undos: [[Undo]] = [[], [], []]
  /// Comics added and comics removed on any device.
  var added: Set<Int> = []
  var removed: Set<Int> = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  mutating func step() throws {
    let peer = Int.random(in: 0..<3, using: &random)
    world.now += UInt64.random(in: 0...LibrarySamples.day / 4, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<35: try edit(peer)
    case 35..<55: requests.append(Message(peer: peer, bytes: world.request(from: peer)))
    case 55..<70: try deliverRequest()
    case 70..<85: try deliverReply()
    case 85..<88: requests.shuffle(using: &random)
    case 88..<90: if !replies.isEmpty { replies.removeFirst() }
    case 90..<92:
      world.peers[peer].skew = Int64.random(in: -10...10, using: &random) * Int64(LibrarySamples.day)
    case 92..<94: world.serverSkew = Int64.random(in: -3...3, using: &random) * Int64(LibrarySamples.day)
    case 94..<96: backups.append(world.server)
    case 96..<98: restore()
    default: world.peers[peer].replica = try Replica(decoding: world.peers[peer].replica.encoded())
    }
  }

  private mutating func edit(_ peer: Int) throws {
    let value = Int.random(in: 1...10, using: &random)
    let comic = try LibrarySamples.comic(value)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4:
      added.insert(value)
      undos[peer].append(try world.edit(peer) { try $0.addFavorite(comic, at: $1) })
    case 4..<6 where value > 5:
      removed.insert(value)
      undos[peer].append(try world.edit(peer) { try $0.removeFavorite(comic, at: $1) })
    case 6: try world.edit(peer) { try $0.setRead(value.isMultiple(of: 2), comic: comic, at: $1) }
    case 7: try world.edit(peer) { try $0.setRead(value.isMultiple(of: 2), upTo: comic, at: $1) }
    case 8:
      guard let undo = undos[peer].popLast() else { return }
      for item in undo.items where item.before == nil {
        if let comic = item.key.comic(after: Favorite.prefix) { removed.insert(comic.value) }
      }
      try world.edit(peer) { _ = try $0.apply(undo, at: $1) }
    default: try world.edit(peer) { try $0.setPlace(comic, at: $1) }
    }
  }

  private mutating func deliverRequest() throws {
    guard let index = requests.indices.randomElement(using: &random) else { return }
    let message = Bool.random(using: &random) ? requests[index] : requests.remove(at: index)
    replies.append(Message(peer: message.peer, bytes: try world.answer(message.bytes)))
  }

  private mutating func deliverReply() throws {
    guard let index = replies.indices.randomElement(using: &random) else { return }
    let message = Bool.random(using: &random) ? replies[index] : replies.remove(at: index)
    _ = try world.receive(message.bytes, on: message.peer)
  }

  /// Restores the server from a backup, with or without a new epoch for the copy.
  private mutating func restore() {
    guard let backup = backups.randomElement(using: &random) else { return }
    world.server = backup
    if Bool.random(using: &random) { world.epoch += 1 }
  }
}

struct LibrarySimulationTests {
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `converge after any events, and lose no favorite`(block: UInt64) throws {
    for seed in (block * 50)..<(block * 50 + 50) {
      var simulation = Simulation(seed: seed)
      for _ in 0..<120 { try simulation.step() }
      try simulation.world.syncAll(rounds: 3, "seed \(seed)")
      #expect(simulation.world.isSettled, "seed \(seed)")
      for value in simulation.added.subtracting(simulation.removed) {
        #expect(simulation.world.server.isFavorite(try LibrarySamples.comic(value)), "seed \(seed), \(value)")
      }
      for peer in 0..<3 {
        let isDark = peer.isMultiple(of: 2)
        try simulation.world.edit(peer) { try $0.set(.appearance, to: isDark ? .dark : .light, at: $1) }
        try simulation.world.syncAll(rounds: 2, "seed \(seed)")
        for other in simulation.world.peers {
          #expect(other.replica.library.value(of: .appearance) == (isDark ? .dark : .light), "seed \(seed)")
        }
      }
      #expect(simulation.world.isSettled, "seed \(seed)")
    }
  }
}
