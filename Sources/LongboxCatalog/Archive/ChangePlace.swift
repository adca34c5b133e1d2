// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// A place in the order in which comics were added and changed: after all changes of a revision, or in the midst of them.
///
/// One revision can be a thousand comics, as an import makes it, so a revision alone is no place to go on from.
public struct ChangePlace: Equatable, Sendable {
  /// The revision.
  public var revision: Int
  /// The number of the last comic of this revision that came before this place; the greatest there can be where all did.
  public var number: Int

  /// Makes a place, by default after all of a revision.
  public init(revision: Int, number: Int = Comic.Number.greatestValue) {
    self.revision = revision
    self.number = number
  }

  /// Before the first change.
  public static var beginning: ChangePlace { ChangePlace(revision: 0) }
}

extension ChangePlace: LosslessStringConvertible {
  /// The place as clients write it: `120` is after all of revision 120, `120.353` after its comic 353.
  public var description: String {
    number == Comic.Number.greatestValue ? "\(revision)" : "\(revision).\(number)"
  }

  /// Reads a place as it is written, with at most nine digits in a revision and six in a number.
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
