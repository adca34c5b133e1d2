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

  public init(nonce: UInt64, epoch: UInt64, since: UInt64, changes: Library) {
    self.nonce = nonce
    self.epoch = epoch
    self.since = since
    self.changes = changes
  }
}

/// The encoding: u64 nonce, u64 epoch, varint since, the changes without sequences.
extension SyncRequest {
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

/// The server's answer to a ``SyncRequest``.
public struct SyncReply: Equatable, Sendable {
  /// The result of the request.
  public enum Outcome: Equatable, Sendable {
    /// The server merged the changes; the device gets what it lacks.
    case merged(Merged)
    /// The server rejected the request: a timestamp is after the limit, in milliseconds since 1970-01-01 UTC.
    case tooFarAhead(limit: UInt64)
  }

  /// The result of a merge.
  public struct Merged: Equatable, Sendable {
    /// The identifier of the server's copy.
    public let epoch: UInt64
    /// The sequence of the server's copy that the device is now up to date with.
    public let sequence: UInt64
    /// The ``Library/digest`` of the server's copy.
    public let digest: UInt64
    /// What the device lacks.
    public let changes: Library

    /// Creates the result of a merge.
    public init(epoch: UInt64, sequence: UInt64, digest: UInt64, changes: Library) {
      self.epoch = epoch
      self.sequence = sequence
      self.digest = digest
      self.changes = changes
    }
  }

  public let nonce: UInt64
  /// The server's time in milliseconds since 1970-01-01 UTC.
  public let time: UInt64
  /// The result of the request.
  public let outcome: Outcome

  public init(nonce: UInt64, time: UInt64, outcome: Outcome) {
    self.nonce = nonce
    self.time = time
    self.outcome = outcome
  }
}

/// The encoding: u64 nonce, varint time, u8 outcome; then
///
///     0, merged         u64 epoch, varint sequence, u64 digest, the changes without sequences
///     1, too far ahead  varint limit
extension SyncReply {
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

  /// Decodes a reply.
  /// - Throws: `LibraryError` if the bytes are invalid or exceed the limits.
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

extension Library {
  /// Merges a device's changes into the server's copy and returns what the device lacks.
  ///
  /// The answer depends only on the copy and the request, and is idempotent. So the server stores the copy,
  /// then sends the reply, and either may fail.
  ///
  /// The request is rejected if a timestamp is more than ``LibraryClock/tolerance`` after the server's time,
  /// or after the greatest timestamp in its copy if that is later. The second case keeps a server working
  /// whose own clock was set back.
  /// - Parameters:
  ///   - request: the device's request.
  ///   - epoch: the identifier of this copy: random, not 0, and new after a restore.
  ///   - now: the server's time in milliseconds since 1970-01-01 UTC.
  /// - Throws: `LibraryError.full` if both together exceed the limits; the library is then unchanged.
  public mutating func answer(
    _ request: SyncRequest,
    epoch: UInt64,
    at now: UInt64
  ) throws(LibraryError) -> SyncReply {
    let now = min(now, Timestamp.greatestTime)
    let limit = min(max(now, latest.time) + LibraryClock.tolerance, Timestamp.greatestTime)
    guard request.changes.latest.time <= limit else {
      return SyncReply(nonce: request.nonce, time: now, outcome: .tooFarAhead(limit: limit))
    }
    let isKnown = request.epoch == epoch && request.since <= sequence
    rememberDigest()
    try merge(request.changes)
    let merged = SyncReply.Merged(
      epoch: epoch,
      sequence: sequence,
      digest: digest,
      changes: changes(since: isKnown ? request.since : nil, for: request.changes)
    )
    return SyncReply(nonce: request.nonce, time: now, outcome: .merged(merged))
  }
}
