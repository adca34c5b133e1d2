// Longbox
// SPDX-License-Identifier: MIT

/// What one check of the server found.
public struct Finding: Encodable, Equatable, Sendable {
  /// How bad it is.
  public enum Level: String, CaseIterable, Comparable, Encodable, Sendable {
    /// Nothing needs to be done.
    case ok
    /// It works, but needs attention.
    case warning
    /// It doesn't work, or readers can lose something.
    case problem

    /// Whether a level is less bad than another.
    public static func < (one: Level, other: Level) -> Bool { one.rank < other.rank }

    private var rank: Int {
      switch self {
      case .ok: 0
      case .warning: 1
      case .problem: 2
      }
    }
  }

  /// The parts of the server that are checked.
  public enum Subject: String, CaseIterable, Encodable, Sendable {
    case store, disk, permissions, xkcd, explain, itunes, wikipedia, clock, certificates, keys, contact,
      subscriptions, backups
    case port, names, memory

    /// Its name for people.
    public var name: String {
      switch self {
      case .store: "Store"
      case .disk: "Disk"
      case .permissions: "Permissions"
      case .xkcd: "xkcd"
      case .explain: "explain xkcd"
      case .itunes: "iTunes Store"
      case .wikipedia: "Wikipedia"
      case .clock: "Clock"
      case .certificates: "Certificates"
      case .keys: "Keys"
      case .contact: "Contact"
      case .subscriptions: "Subscriptions"
      case .backups: "Backups"
      case .port: "Port"
      case .names: "Names"
      case .memory: "Memory"
      }
    }
  }

  /// What was checked.
  public var subject: Subject
  /// How bad it is.
  public var level: Level
  /// What was found, in a sentence or two.
  public var text: String
  /// What to do; nil if nothing needs to be done.
  public var advice: String?

  static func ok(_ subject: Subject, _ text: String, _ advice: String? = nil) -> Finding {
    Finding(subject: subject, level: .ok, text: text, advice: advice)
  }

  static func warning(_ subject: Subject, _ text: String, _ advice: String) -> Finding {
    Finding(subject: subject, level: .warning, text: text, advice: advice)
  }

  static func problem(_ subject: Subject, _ text: String, _ advice: String) -> Finding {
    Finding(subject: subject, level: .problem, text: text, advice: advice)
  }
}
