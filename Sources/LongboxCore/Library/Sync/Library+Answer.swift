// Longbox
// SPDX-License-Identifier: MIT

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
