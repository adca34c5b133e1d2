// Longbox
// SPDX-License-Identifier: MIT

/// A copy of a library on one host, with its clock and the state of its sync.
///
/// A host stores all three in one step after each edit and each reply, so a crash can't make them disagree.
///
///     let editTime = replica.editTime(at: now)
///     let undo = try replica.library.addFavorite(comic, at: editTime)
public struct Replica: Equatable, Sendable {
  public var library: Library
  /// Issues the timestamps of this host's edits.
  public private(set) var clock: LibraryClock
  /// The state of the sync with the server; unused on the server.
  public private(set) var sync: SyncState

  /// Creates an empty copy.
  /// - Parameter device: a number unique in the library: 64 random bits.
  public init(device: UInt64) {
    self.init(library: Library(), device: device)
  }

  /// Creates a copy of a library that has never been synced from this device.
  public init(library: Library, device: UInt64) {
    self.library = library
    clock = LibraryClock(device: device)
    sync = SyncState()
  }

  /// The time of an edit that starts now, later than everything in the library.
  /// - Parameter now: the host's time in milliseconds since 1970-01-01 UTC.
  public func editTime(at now: UInt64) -> EditTime {
    EditTime(timestamp: clock.timestamp(at: now, after: library.latest), time: now)
  }

  /// Whether there are edits that the server has not acknowledged.
  public var hasUnsentEdits: Bool { hasEdits(since: sync.pushed) }

  /// Whether the device should sync by itself: not for views alone, unless it has synced before.
  public var isDueForSync: Bool { hasUnsentEdits && (sync.epoch != 0 || !library.hasOnlyViews) }

  /// Creates the next request to the server.
  ///
  /// It carries what was written since the last acknowledgement. Requests may be lost, repeated or late: only
  /// the reply to the last one has an effect.
  /// - Parameter nonce: 64 random bits.
  public mutating func request(nonce: UInt64) -> SyncRequest {
    let isWhole = sync.needsAll || sync.epoch == 0
    let changes = library.changes(since: isWhole ? nil : sync.pushed)
    sync.outstanding = .init(
      nonce: nonce,
      sequence: library.sequence,
      latest: changes.latest,
      isWhole: isWhole
    )
    return SyncRequest(
      nonce: nonce,
      epoch: isWhole ? 0 : sync.epoch,
      since: isWhole ? 0 : sync.pulled,
      changes: changes
    )
  }

  /// Applies a reply; after ``SyncProgress/again`` the host sends another request, at most five in a row.
  /// - Parameters:
  ///   - reply: the server's reply.
  ///   - now: the device's time in milliseconds since 1970-01-01 UTC.
  /// - Throws: `LibraryError.full` if both together exceed the limits; the library is then unchanged, and the
  ///   request counts as lost.
  public mutating func receive(_ reply: SyncReply, at now: UInt64) throws(LibraryError) -> SyncProgress {
    guard let sent = sync.outstanding, sent.nonce == reply.nonce else { return .ignored }
    sync.outstanding = nil
    clock.correct(now: now, server: reply.time)
    switch reply.outcome {
    case .tooFarAhead(let limit):
      library.reassignTimestamps(above: limit, present: reply.time, floor: sync.shared, clock: clock)
      return .again
    case .merged(let merged):
      return try take(merged, answering: sent)
    }
  }

  private mutating func take(
    _ merged: SyncReply.Merged,
    answering sent: SyncState.Outstanding
  ) throws(LibraryError) -> SyncProgress {
    library.rememberDigest()
    try library.merge(merged.changes, isKnown: true)
    let isEdited = hasEdits(since: sent.sequence)
    let isOtherCopy = merged.epoch != sync.epoch || merged.sequence < sync.pulled
    let differs = !isEdited && library.digest != merged.digest
    sync.epoch = merged.epoch
    sync.pulled = merged.sequence
    sync.pushed = sent.sequence
    sync.shared = max(sync.shared, max(sent.latest, merged.changes.latest))
    sync.needsAll = sent.isWhole ? differs : differs || isOtherCopy
    if sent.isWhole, differs { return .diverged }
    return sync.needsAll || isEdited ? .again : .settled
  }

  private func hasEdits(since sequence: UInt64) -> Bool {
    var hasEdits = false
    library.forEachRegister(writtenAfter: sequence) { hasEdits = hasEdits || !$0.entry.key.isLocal }
    return hasEdits
  }
}

/// The encoding of a replica:
///
///     u64 device, varint clock offset in zigzag
///     u64 epoch, varint pulled, varint pushed
///     varint time, varint counter, u64 device of the greatest shared timestamp
///     u8  1 if everything has to be exchanged, else 0
///     varint sequence, the entries with theirs
extension Replica {
  public func encoded() -> [UInt8] {
    var body: [UInt8] = []
    body.append64(clock.device)
    body.appendVarint(UInt64(bitPattern: (clock.offset << 1) ^ (clock.offset >> 63)))
    body.append64(sync.epoch)
    body.appendVarint(sync.pulled)
    body.appendVarint(sync.pushed)
    body.append(sync.shared)
    body.appendFlag(sync.needsAll)
    library.append(to: &body)
    return Envelope.seal(body, as: .replica)
  }

  /// Decodes a copy.
  /// - Throws: `LibraryError` if the bytes are invalid or exceed the limits.
  public init(decoding bytes: [UInt8]) throws(LibraryError) {
    var reader = try Envelope.open(bytes, as: .replica)
    let device = try reader.word64()
    let zigzag = try reader.varint()
    clock = LibraryClock(device: device, offset: Int64(bitPattern: (zigzag >> 1) ^ (0 &- (zigzag & 1))))
    sync = SyncState()
    sync.epoch = try reader.word64()
    sync.pulled = try reader.varint()
    sync.pushed = try reader.varint()
    sync.shared = try reader.timestamp()
    sync.needsAll = try reader.flag()
    library = try Library(reading: &reader)
    guard reader.isAtEnd else { throw .malformed }
  }
}

/// The state of a device's sync with the server.
public struct SyncState: Equatable, Sendable {
  /// A request without a reply so far.
  fileprivate struct Outstanding: Equatable, Sendable {
    var nonce: UInt64
    /// The device's sequence when the request was made.
    var sequence: UInt64
    /// The greatest timestamp in the request.
    var latest: Timestamp
    var isWhole: Bool
  }

  /// The identifier of the server's copy; 0 before the first sync.
  public fileprivate(set) var epoch: UInt64 = 0
  /// The sequence of the server's copy that the device is up to date with.
  public fileprivate(set) var pulled: UInt64 = 0
  /// The device's own sequence that the server is up to date with.
  public fileprivate(set) var pushed: UInt64 = 0
  /// The greatest timestamp that the server is known to have.
  public fileprivate(set) var shared: Timestamp = .earliest
  /// Whether the next sync must exchange everything, because the copies differ.
  public fileprivate(set) var needsAll = false
  /// The last request; not stored, because a reply can't outlive the process that waits for it.
  fileprivate var outstanding: Outstanding?

  /// Creates the state before the first sync.
  public init() {}
}

/// The next step after a reply.
public enum SyncProgress: Equatable, Sendable {
  /// Both sides are equal; there is nothing to send.
  case settled
  /// Send another request at once: there are newer edits, timestamps were moved, or the copies differ.
  case again
  /// The reply doesn't belong to the last request; nothing changed.
  case ignored
  /// The copies differ after a full exchange, which is a bug; the next sync tries again.
  case diverged
}
