// Longbox
// SPDX-License-Identifier: MIT

/// The result of an import.
public struct ImportReport: Encodable, Equatable, Sendable {
  /// Counts of new, changed and unchanged items of one kind.
  public struct Counts: Encodable, Equatable, Sendable {
    /// Not stored before.
    public var new = 0
    /// Stored before, with other content.
    public var changed = 0
    /// Stored before, with the same content.
    public var unchanged = 0

    /// All usable items.
    public var total: Int { new + changed + unchanged }
  }

  /// A row or a picture that could not be used.
  public struct Skipped: Encodable, Equatable, Sendable {
    /// The file.
    public var file = "comics.jsonl"
    /// The line number, from 1.
    public var line: Int
    /// The comic's number, if it could be read.
    public var comic: Int?
    /// The reason, as a sentence.
    public var reason: String
  }

  /// The comics' texts.
  public var comics = Counts()
  /// The pictures.
  public var pictures = Counts()
  /// The explanations; a stored explanation is never replaced, because it comes from the wiki and is newer.
  public var explanations = Counts()
  /// How many comics have no picture in the folder.
  public var withoutPicture = 0
  /// Everything that could not be used.
  public var skipped: [Skipped] = []

  /// The report for people, a line each.
  public var sentences: [String] {
    var lines = skipped.map { skipped in
      "Line \(skipped.line)\(skipped.file == "comics.jsonl" ? "" : " of \(skipped.file)")\(skipped.comic.map { " (comic \($0))" } ?? ""): \(skipped.reason)"
    }
    lines.append("Comics: \(comics.new) new, \(comics.changed) changed, \(comics.unchanged) already there.")
    lines.append(
      "Pictures: \(pictures.new) new, \(pictures.changed) changed, \(pictures.unchanged) already there, "
        + "\(withoutPicture) not in the folder."
    )
    if explanations.total > 0 {
      lines.append("Explanations: \(explanations.new) new, \(explanations.unchanged) already there.")
    }
    if !skipped.isEmpty { lines.append("Skipped: \(skipped.count), for the reasons above.") }
    return lines
  }
}
