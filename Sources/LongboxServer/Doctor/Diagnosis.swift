// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

/// What all checks of the server found, in the order of the subjects.
public struct Diagnosis: Equatable, Sendable {
  /// When it was checked.
  public let date: Date
  /// What was found.
  public let findings: [Finding]

  /// The worst level.
  public var worst: Finding.Level { findings.map(\.level).max() ?? .ok }

  /// The findings as lines: level, subject and what was found, and below it what to do.
  public var lines: [String] {
    findings.flatMap { finding in
      let level = finding.level.rawValue.padding(toLength: 9, withPad: " ", startingAt: 0)
      let line = "\(level)\(finding.subject.name): \(finding.text)"
      return [line] + (finding.advice.map { ["         → \($0)"] } ?? [])
    }
  }
}

extension Diagnosis: Encodable {
  private enum Key: String, CodingKey { case checkedAt, worst, findings }

  /// Writes `checkedAt`, `worst` and `findings`, each with `subject`, `level`, `text` and perhaps `advice`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(date, forKey: .checkedAt)
    try container.encode(worst, forKey: .worst)
    try container.encode(findings, forKey: .findings)
  }
}
