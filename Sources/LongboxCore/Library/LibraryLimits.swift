// Longbox
// SPDX-License-Identifier: MIT

/// What a library holds at most.
///
/// Both sides of a sync keep to these, so what one can write the other can read.
public enum LibraryLimits {
  /// The bytes of a key.
  public static var keyLength: Int { 200 }
  /// The bytes of a value.
  public static var valueLength: Int { 4096 }
  /// The bytes of a favourite's note.
  public static var noteLength: Int { 500 }
  /// The entries, those that were removed included.
  public static var entryCount: Int { 100_000 }
  /// The bytes of all keys and values: 8 MiB.
  public static var size: Int { 8 << 20 }
  /// The bytes of anything encoded: the content, and at most 48 bytes around each entry; 12.9 MiB.
  public static var encodedLength: Int { size + entryCount * 48 + 1024 }
}
