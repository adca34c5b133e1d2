// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

/// A folder of daily backups, such as `longbox-2026-11-24.backup`; other files in it are never changed.
public struct BackupFolder: Equatable, Sendable {
  /// A backup of a day.
  struct Entry: Equatable, Sendable {
    let name: String
    /// The day, such as `2026-11-24`, in UTC.
    let day: String
    /// When it was finished.
    let date: Date
  }

  private static let (prefix, suffix) = ("longbox-", ".backup")
  /// How the names of an interrupted backup's files end.
  private static let unfinished = ["\(suffix).unfinished", "\(suffix).database"]

  /// Where the folder is.
  public let location: URL
  /// The number of backups that are kept.
  public let kept: Int

  /// Names a folder; the first backup creates it.
  public init(_ location: URL, keeping kept: Int = 7) {
    self.location = location
    self.kept = max(1, kept)
  }

  /// The day in the name of a backup, such as `2026-11-24`, in UTC.
  static func day(of date: Date) -> String { date.formatted(.iso8601.year().month().day()) }

  /// The file of a day's backup.
  func file(of day: String) -> URL {
    location.appending(path: "\(Self.prefix)\(day)\(Self.suffix)", directoryHint: .notDirectory)
  }

  /// The backups, the newest first.
  /// - Throws: the system's error if the folder can't be read.
  func entries() throws -> [Entry] {
    try FileManager.default.contentsOfDirectory(atPath: location.path)
      .compactMap { name in
        guard let day = Self.day(in: name, endingWith: Self.suffix) else { return nil }
        let facts = try FileManager.default.attributesOfItem(atPath: location.appending(path: name).path)
        return Entry(name: name, day: String(day), date: facts[.modificationDate] as? Date ?? .distantPast)
      }
      .sorted { $0.day > $1.day }
  }

  /// Removes the oldest backups beyond the number to keep, and files of interrupted backups.
  /// - Returns: the number of backups that were removed.
  @discardableResult
  func rotate() throws -> Int {
    for name in try FileManager.default.contentsOfDirectory(atPath: location.path)
    where Self.unfinished.contains(where: { Self.day(in: name, endingWith: $0) != nil }) {
      try FileManager.default.removeItem(at: location.appending(path: name))
    }
    let old = try entries().dropFirst(kept)
    for entry in old { try FileManager.default.removeItem(at: location.appending(path: entry.name)) }
    return old.count
  }

  /// The day in a file's name; nil if the name has another form.
  private static func day(in name: String, endingWith ending: String) -> Substring? {
    let day = name.dropFirst(prefix.count).dropLast(ending.count)
    return name == "\(prefix)\(day)\(ending)" && isDay(day) ? day : nil
  }

  /// Whether a text has the form of `2026-11-24`.
  private static func isDay(_ text: Substring) -> Bool {
    text.utf8.count == 10
      && text.utf8.enumerated().allSatisfy { place, byte in
        place == 4 || place == 7 ? byte == UInt8(ascii: "-") : (0x30...0x39).contains(byte)
      }
  }
}
