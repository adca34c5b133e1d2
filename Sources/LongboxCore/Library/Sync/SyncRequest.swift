// Longbox
// SPDX-License-Identifier: MIT

/// A device's sync request: its changes, and which state of the server's copy it has.
public struct SyncRequest: Equatable, Sendable {
  /// A random number that the reply repeats, so that the device can ignore old replies.
  public let nonce: UInt64
  /// The identifier of the server's copy at the last sync; 0 requests everything.
  public let epoch: UInt64
  /// The sequence of the server's copy that the device is up to date with.
  public let since: UInt64
  /// The device's changes since the last acknowledgement, or everything.
  public let changes: Library

  /// Creates a request.
  public init(nonce: UInt64, epoch: UInt64, since: UInt64, changes: Library) {
    self.nonce = nonce
    self.epoch = epoch
    self.since = since
    self.changes = changes
  }
}

/// The encoding: u64 nonce, u64 epoch, varint since, the changes without sequences.
extension SyncRequest {
  /// Encodes the request.
  public func encoded() -> [UInt8] {
    var body: [UInt8] = []
    body.append64(nonce)
    body.append64(epoch)
    body.appendVarint(since)
    changes.appendEntries(to: &body)
    return Envelope.seal(body, as: .request)
  }

  /// Decodes a request.
  /// - Throws: `LibraryError` if the bytes are invalid or exceed the limits.
  public init(decoding bytes: [UInt8]) throws(LibraryError) {
    var reader = try Envelope.open(bytes, as: .request)
    nonce = try reader.word64()
    epoch = try reader.word64()
    since = try reader.varint()
    changes = try Library(entriesIn: &reader)
    guard reader.isAtEnd else { throw .malformed }
  }
}
