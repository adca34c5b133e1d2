// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// What an import came to.
public struct ImportReport: Encodable, Equatable, Sendable {
  /// How many of one kind were new, changed or there already.
  public struct Counts: Encodable, Equatable, Sendable {
    /// Not stored before.
    public var new = 0
    /// Stored before, with other content.
    public var changed = 0
    /// Stored before, the same.
    public var unchanged = 0

    /// All that could be used.
    public var total: Int { new + changed + unchanged }
  }

  /// A row or a picture that could not be used.
  public struct Skipped: Encodable, Equatable, Sendable {
    /// The file.
    public var file = "comics.jsonl"
    /// The line in it, from 1 on.
    public var line: Int
    /// The comic's number, where it could be read.
    public var comic: Int?
    /// A sentence that says why.
    public var reason: String
  }

  /// The comics' texts.
  public var comics = Counts()
  /// The pictures.
  public var pictures = Counts()
  /// The explanations; one that is stored is never changed, for the wiki's own is newer.
  public var explanations = Counts()
  /// How many comics have no picture in the folder.
  public var withoutPicture = 0
  /// What could not be used.
  public var skipped: [Skipped] = []

  /// The report as JSON.
  /// - Throws: what the encoder throws.
  public func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }

  /// The report for people.
  public var sentences: String {
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
    return lines.joined(separator: "\n")
  }
}
