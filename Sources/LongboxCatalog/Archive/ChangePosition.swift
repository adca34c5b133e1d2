// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// A position in the list of changes: a revision and a comic, because an import's revision has many comics.
public struct ChangePosition: Equatable, Sendable {
  /// The revision.
  public var revision: Int
  /// The last comic before this position; the greatest number if all comics of the revision are before it.
  public var number: Int

  /// Makes a position, by default after all of a revision.
  public init(revision: Int, number: Int = Comic.Number.greatestValue) {
    self.revision = revision
    self.number = number
  }

  /// The position before the first change.
  public static var beginning: ChangePosition { ChangePosition(revision: 0) }
}

extension ChangePosition: LosslessStringConvertible {
  /// The position as clients write it: `120` is after all of revision 120, `120.353` after its comic 353.
  public var description: String {
    number == Comic.Number.greatestValue ? "\(revision)" : "\(revision).\(number)"
  }

  /// Parses a position: up to nine digits of revision and six of number.
  public init?(_ description: String) {
    let parts = description.split(separator: ".", omittingEmptySubsequences: false).map {
      Text(string: String($0))
    }
    guard let first = parts.first, let revision = first.number, parts.count <= 2 else { return nil }
    guard parts.count == 2 else {
      self.init(revision: revision)
      return
    }
    guard parts[1].count <= 6, let number = parts[1].number else { return nil }
    self.init(revision: revision, number: number)
  }
}
