// Longbox
// SPDX-License-Identifier: MIT

/// What a device sends to sync: its changes, and how much of the server's copy it has.
public struct SyncRequest: Equatable, Sendable {
  /// A number by chance, which the reply repeats, so that an old or strange reply is known for one.
  public let nonce: UInt64
  /// The name of the server's copy that the device last synced with; 0 asks for everything.
  public let epoch: UInt64
  /// The sequence of the server's copy that the device has everything up to.
  public let since: UInt64
  /// What was written on the device since the server last acknowledged, or everything.
  public let changes: Library

  /// Makes a request.
  public init(nonce: UInt64, epoch: UInt64, since: UInt64, changes: Library) {
    self.nonce = nonce
    self.epoch = epoch
    self.since = since
    self.changes = changes
  }
}

/// In bytes: u64 nonce, u64 epoch, varint since, the changes without sequences.
extension SyncRequest {
  /// The request in bytes.
  public func encoded() -> [UInt8] {
    var body: [UInt8] = []
    body.append64(nonce)
    body.append64(epoch)
    body.appendVarint(since)
    changes.appendEntries(to: &body)
    return Envelope.seal(body, as: .request)
  }

  /// Reads a request.
  /// - Throws: `LibraryError` where the bytes are foreign, cut, damaged, malformed or beyond the limits.
  public init(decoding bytes: [UInt8]) throws(LibraryError) {
    var reader = try Envelope.open(bytes, as: .request)
    nonce = try reader.word64()
    epoch = try reader.word64()
    since = try reader.varint()
    changes = try Library(entriesIn: &reader)
    guard reader.isAtEnd else { throw .malformed }
  }
}
