// Longbox
// SPDX-License-Identifier: MIT

public import struct LongboxCore.Comic

/// The result of checking everything that is stored.
public struct StoreAudit: Hashable, Sendable {
  /// How many comics are stored.
  public var comics = 0
  /// The missing numbers below the newest stored comic, except 404.
  public var gaps: [Comic.Number] = []
  /// How many pictures are intact.
  public var wholePictures = 0
  /// How many covers of albums are intact.
  public var wholeCovers = 0
  /// The names of pictures and covers that rows refer to, but whose bytes are missing.
  public var missingPictures: [String] = []
  /// The names of pictures and covers whose bytes have changed.
  public var damagedPictures: [String] = []
  /// How many files no comic and no album uses; they are harmless, and a sweep removes them.
  public var unusedFiles = 0
  /// The faults that SQLite finds in the database, in its own words.
  public var databaseFaults: [String] = []

  /// Whether nothing that was stored is lost or damaged.
  public var isSound: Bool { missingPictures.isEmpty && damagedPictures.isEmpty && databaseFaults.isEmpty }
}
