// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// Which version of the archive, or of the explanation index, a device has.
public struct ArchiveCopy: Equatable, Sendable {
  /// The revision of its copy, 0 if it has none.
  public var revision: Int
  /// The version of the decoding rules that made its text.
  public var rules: Int
  /// Whether it holds the samples.
  public var isSampleBox: Bool

  /// Makes a description of a copy.
  public init(revision: Int, rules: Int, isSampleBox: Bool) {
    self.revision = revision
    self.rules = rules
    self.isSampleBox = isSampleBox
  }

  /// Whether a delta can bring the copy up to date with an archive.
  ///
  /// It can't if the copy has other content or older rules, or is ahead: the server was restored from a
  /// backup.
  public func canBeUpdated(to archive: Archive) -> Bool {
    canBeUpdated(to: archive.revision, archive.rules, archive.isSampleBox)
  }

  /// Whether a delta can bring the copy up to date with an explanation index.
  public func canBeUpdated(to index: ExplanationIndex) -> Bool {
    canBeUpdated(to: index.revision, index.rules, index.isSampleBox)
  }

  private func canBeUpdated(to revision: Int, _ rules: Int, _ isSampleBox: Bool) -> Bool {
    self.revision > 0 && self.revision <= revision && self.rules == rules && self.isSampleBox == isSampleBox
  }
}
