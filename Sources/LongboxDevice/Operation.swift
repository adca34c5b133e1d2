// Longbox
// SPDX-License-Identifier: MIT

/// What the host can ask of a device.
///
/// The numbers are those of `sw.js` and of `docs/device.md`.
enum Operation: UInt8 {
  /// Opens a whole archive. Message: the segment.
  case open = 1
  /// Lays a delta over the archive. Message: the segment.
  case add = 2
  /// Begins an empty library. Message: u64 the device's number, by chance.
  case begin = 3
  /// Takes up the library as it was stored. Message: what ``save`` gave.
  case load = 4
  /// Gives the library as it is to be stored.
  case save = 5
  /// Answers a page's request or a form. Message: see ``Question``; reply: see ``Answer``.
  case respond = 6
  /// Makes the next request of a sync. Message: u64 nonce, by chance; reply: what is to be sent.
  case request = 7
  /// Takes the reply of a sync in. Message: u64 now, the reply; reply: u8 progress, u8 whether anything changed.
  case receive = 8
  /// Says what the host has to know.
  ///
  /// Reply: u32 revision, u32 revision of the whole segment, u32 rules, u32 number of comics, u8 samples, u8 unsent
  /// edits, u8 keep comics, u32 number of favourites, u32 each, u32 number of saved albums, each u32
  /// length, the address of its page.
  case facts = 9
  /// Lists pictures. Message: u8 0 latest 50, 1 favourites, 2 everything; reply: see ``PictureList``.
  case pictures = 10
}
