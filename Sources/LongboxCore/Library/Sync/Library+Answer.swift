// Longbox
// SPDX-License-Identifier: MIT

extension Library {
  /// Merges a device's changes into the server's copy and says what the device lacks.
  ///
  /// The answer is a function of the copy and the request, and to answer twice does no more than once; so a server
  /// stores the copy, then sends the reply, and may lose either.
  ///
  /// Nothing is taken from a device whose clock is ahead: no stamp may lie more than ``LibraryClock/tolerance``
  /// after the server's time, or after the greatest stamp of its copy where that is later. The second half keeps a server
  /// going whose own clock was set back.
  /// - Parameters:
  ///   - request: what the device sent.
  ///   - epoch: the name of this copy, not 0: drawn by chance when it was made, and anew when it was restored.
  ///   - now: the server's time in milliseconds since 1970-01-01 UTC.
  /// - Throws: `LibraryError.full` where both sides together are beyond the limits; nothing is changed then.
  public mutating func answer(
    _ request: SyncRequest,
    epoch: UInt64,
    at now: UInt64
  ) throws(LibraryError) -> SyncReply {
    let now = min(now, Stamp.greatestTime)
    let limit = min(max(now, latest.time) + LibraryClock.tolerance, Stamp.greatestTime)
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
