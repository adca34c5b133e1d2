// Longbox
// SPDX-License-Identifier: MIT

/// What the host can ask of a device.
///
/// The numbers are those of `Web/src/worker` and of `docs/device.md`.
enum Operation: UInt8, CaseIterable {
  /// Opens a whole archive. Message: the segment.
  case open = 1
  /// Lays a delta over the archive. Message: the segment.
  case add = 2
  /// Begins an empty library. Message: u64 the device's number, at random.
  case begin = 3
  /// Takes up the library as it was stored. Message: what ``save`` gave.
  case load = 4
  /// Gives the library as it is to be stored.
  case save = 5
  /// Answers a request or a form, or says what to load first. Message: ``RespondMessage``; reply: ``RespondReply``.
  case respond = 6
  /// Makes the next request of a sync. Message: u64 nonce, at random; reply: what is to be sent.
  case request = 7
  /// Takes the reply of a sync in. Message: u64 now, the reply; reply: u8 progress, u8 whether anything changed.
  case receive = 8
  /// Says what the host has to know. Reply: see ``Device/facts``.
  case facts = 9
  /// Lists pictures. Message: u8 0 latest 50, 1 favorites, 2 everything; reply: see ``PictureList``.
  case pictures = 10
  /// Takes the index of explanations, for search. Message: the segment, whole or a delta.
  case explanations = 11
}
