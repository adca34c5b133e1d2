// Longbox
// SPDX-License-Identifier: MIT

/// What a server answers to a ``SyncRequest``.
public struct SyncReply: Equatable, Sendable {
  /// What became of the request.
  public enum Outcome: Equatable, Sendable {
    /// The changes are in the server's copy, and the device gets what it lacks.
    case merged(Merged)
    /// Nothing was taken: a stamp lies in the future, after the limit given in milliseconds since 1970-01-01 UTC.
    case tooFarAhead(limit: UInt64)
  }

  /// What a device needs to know after a merge.
  public struct Merged: Equatable, Sendable {
    /// The name of the server's copy.
    public let epoch: UInt64
    /// The sequence of the server's copy that the device now has everything up to.
    public let sequence: UInt64
    /// The ``Library/digest`` of the server's copy.
    public let digest: UInt64
    /// What the device lacks.
    public let changes: Library

    /// Makes what is known after a merge.
    public init(epoch: UInt64, sequence: UInt64, digest: UInt64, changes: Library) {
      self.epoch = epoch
      self.sequence = sequence
      self.digest = digest
      self.changes = changes
    }
  }

  /// The request's number.
  public let nonce: UInt64
  /// The server's time in milliseconds since 1970-01-01 UTC.
  public let time: UInt64
  /// What became of the request.
  public let outcome: Outcome

  /// Makes a reply.
  public init(nonce: UInt64, time: UInt64, outcome: Outcome) {
    self.nonce = nonce
    self.time = time
    self.outcome = outcome
  }
}

/// In bytes: u64 nonce, varint time, u8 outcome; then
///
///     0, merged         u64 epoch, varint sequence, u64 digest, the changes without sequences
///     1, too far ahead  varint limit
extension SyncReply {
  /// The reply in bytes.
  public func encoded() -> [UInt8] {
    var body: [UInt8] = []
    body.append64(nonce)
    body.appendVarint(time)
    switch outcome {
    case .merged(let merged):
      body.append(0)
      body.append64(merged.epoch)
      body.appendVarint(merged.sequence)
      body.append64(merged.digest)
      merged.changes.appendEntries(to: &body)
    case .tooFarAhead(let limit):
      body.append(1)
      body.appendVarint(limit)
    }
    return Envelope.seal(body, as: .reply)
  }

  /// Reads a reply.
  /// - Throws: `LibraryError` where the bytes are foreign, cut, damaged, malformed or beyond the limits.
  public init(decoding bytes: [UInt8]) throws(LibraryError) {
    var reader = try Envelope.open(bytes, as: .reply)
    nonce = try reader.word64()
    time = try reader.time()
    switch try reader.byte() {
    case 0:
      let epoch = try reader.word64()
      let sequence = try reader.varint()
      let digest = try reader.word64()
      let changes = try Library(entriesIn: &reader)
      outcome = .merged(Merged(epoch: epoch, sequence: sequence, digest: digest, changes: changes))
    case 1: outcome = .tooFarAhead(limit: try reader.varint())
    default: throw .malformed
    }
    guard reader.isAtEnd else { throw .malformed }
  }
}
