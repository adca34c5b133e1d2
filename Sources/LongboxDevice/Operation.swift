// Longbox
// SPDX-License-Identifier: MIT

/// An operation that the host can request.
///
/// The numbers are those in `Web/src/worker` and `docs/device.md`.
enum Operation: UInt8, CaseIterable {
  /// Opens a full archive. Message: the segment.
  case open = 1
  /// Adds a delta to the archive. Message: the segment.
  case add = 2
  /// Creates an empty library. Message: u64 the device's number, random.
  case begin = 3
  /// Loads the stored library. Message: the result of ``save``.
  case load = 4
  /// Returns the library for storage.
  case save = 5
  /// Responds to a request or form, or lists what to load first. Message: ``RespondMessage``; reply:
  /// ``RespondReply``.
  case respond = 6
  /// Creates the next sync request. Message: u64 nonce, random; reply: the request to send.
  case request = 7
  /// Applies a sync reply. Message: u64 now, the reply; reply: u8 progress, u8 whether anything changed.
  case receive = 8
  /// Returns facts for the host. Reply: see ``Device/facts``.
  case facts = 9
  /// Lists pictures. Message: u8 0 latest 50, 1 favorites, 2 everything; reply: see ``PictureList``.
  case pictures = 10
  /// Opens the index of explanations, for search. Message: the segment, full or a delta.
  case explanations = 11
}
