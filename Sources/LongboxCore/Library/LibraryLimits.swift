// Longbox
// SPDX-License-Identifier: MIT

/// The limits of a library.
///
/// Both sides of a sync enforce them, so each can read what the other writes.
public enum LibraryLimits {
  /// The maximum bytes of a key.
  public static var keyLength: Int { 200 }
  /// The maximum bytes of a value.
  public static var valueLength: Int { 4096 }
  /// The maximum characters of a favorite's note, as browsers count them: in UTF-16 code units.
  public static var noteCharacters: Int { 500 }
  /// The maximum bytes of a favorite's note in UTF-8: three for each character.
  public static var noteLength: Int { 3 * noteCharacters }
  /// The maximum number of entries, including removals.
  public static var entryCount: Int { 100_000 }
  /// The maximum bytes of all keys and values: 8 MiB.
  public static var size: Int { 8 << 20 }
  /// The maximum bytes of an encoding: the content and at most 48 bytes of overhead per entry; 12.6 MiB.
  public static var encodedLength: Int { size + entryCount * 48 + 1024 }
}
