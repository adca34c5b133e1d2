// Longbox
// SPDX-License-Identifier: MIT

public import struct LongboxCore.Comic

/// What a look at everything that is stored has found.
public struct StoreAudit: Hashable, Sendable {
  /// How many comics are stored.
  public var comics = 0
  /// The numbers below the newest stored comic that are not stored, but for 404.
  public var gaps: [Comic.Number] = []
  /// How many pictures are whole.
  public var wholePictures = 0
  /// How many covers of albums are whole.
  public var wholeCovers = 0
  /// The names of pictures and covers that the database tells of and the disk doesn't have.
  public var missingPictures: [String] = []
  /// The names of pictures and covers whose bytes are not those that were stored.
  public var damagedPictures: [String] = []
  /// How many files no comic and no album has: harmless, and removed by a sweep.
  public var unusedFiles = 0
  /// What SQLite finds wrong with the database, in its own words.
  public var databaseFaults: [String] = []

  /// Whether nothing that was stored is lost or damaged.
  public var isSound: Bool { missingPictures.isEmpty && damagedPictures.isEmpty && databaseFaults.isEmpty }
}
