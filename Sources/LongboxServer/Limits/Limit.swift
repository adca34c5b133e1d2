// Longbox
// SPDX-License-Identifier: MIT

import LongboxReaders
import LongboxStore

/// One of the ``Limits`` as a setting.
public struct Limit: Sendable {
  private enum Place: Sendable {
    case number(any WritableKeyPath<Limits, Int> & Sendable, least: Int)
    case megabytes(any WritableKeyPath<Limits, Int> & Sendable, least: Int)
    case seconds(any WritableKeyPath<Limits, Duration> & Sendable)
  }

  /// The setting's name below `limits`, such as `connectionsPerAddress`.
  public let name: String
  private let place: Place

  private init(_ name: String, _ path: any WritableKeyPath<Limits, Int> & Sendable, least: Int = 1) {
    self.name = name
    place = .number(path, least: least)
  }

  private init(_ name: String, megabytes path: any WritableKeyPath<Limits, Int> & Sendable, least: Int = 1) {
    self.name = name
    place = .megabytes(path, least: least)
  }

  private init(_ name: String, seconds path: any WritableKeyPath<Limits, Duration> & Sendable) {
    self.name = name
    place = .seconds(path)
  }

  /// All limits, in the order of docs/limits.md.
  public static let all = [
    Limit("connections", \.connections),
    Limit("connectionsPerAddress", \.connectionsPerAddress),
    Limit("connectionsFromLoopback", \.connectionsFromLoopback),
    Limit("reservedConnections", \.reservedConnections),
    Limit("headTime", seconds: \.headTime),
    Limit("bodyTime", seconds: \.bodyTime),
    Limit("bodyRate", \.bodyRate),
    Limit("stallTime", seconds: \.stallTime),
    Limit("idleTime", seconds: \.idleTime),
    Limit("crowdedIdleTime", seconds: \.crowdedIdleTime),
    Limit("stopTime", seconds: \.stopTime),
    Limit("addressLength", \.addressLength),
    Limit("headerLength", \.headerLength),
    Limit("bodyLength", \.bodyLength),
    Limit("unsentMegabytes", megabytes: \.unsentBytes),
    Limit("unsentMegabytesPerAddress", megabytes: \.unsentBytesPerAddress),
    Limit("newLibraries", \.storage.newLibrariesPerHour),
    Limit("newLibraryMegabytes", megabytes: \.storage.libraries.newLibrary),
    Limit("newMegabytesPerAddress", megabytes: \.storage.newBytesPerAddress),
    Limit("librariesMegabytes", megabytes: \.storage.libraries.allLibraries),
    Limit("freeMegabytes", megabytes: \.storage.libraries.freeSpace, least: 0),
    Limit("idleDays", \.storage.idleDays, least: 0),
    Limit("unusedDays", \.storage.unusedDays, least: 0),
    Limit("newSubscriptions", \.storage.newSubscriptionsPerHour),
  ]

  /// The environment variable, such as `LONGBOX_LIMITS_CONNECTIONS_PER_ADDRESS`.
  public var variable: String {
    name.reduce(into: "LONGBOX_LIMITS_") { variable, letter in
      variable += letter.isUppercase ? "_\(letter)" : letter.uppercased()
    }
  }

  /// What a value must be, for an error message.
  public var expected: String {
    switch place {
    case .number(_, let least): "a whole number, at least \(least)"
    case .megabytes(_, let least): "a whole number of megabytes, at least \(least)"
    case .seconds: "a number of seconds above 0"
    }
  }

  /// The value as a setting has it.
  public func text(in limits: Limits) -> String {
    switch place {
    case .number(let path, _): return String(limits[keyPath: path])
    case .megabytes(let path, _): return String(limits[keyPath: path] >> 20)
    case .seconds(let path):
      let seconds = limits[keyPath: path] / .seconds(1)
      return seconds == seconds.rounded() ? String(Int(seconds)) : String(seconds)
    }
  }

  /// Sets the limit.
  /// - Returns: whether the text is a valid value; otherwise nothing changes.
  public func set(_ text: String, in limits: inout Limits) -> Bool {
    switch place {
    case .number(let path, let least):
      guard let number = Int(text), (least...1_000_000_000).contains(number) else { return false }
      limits[keyPath: path] = number
    case .megabytes(let path, let least):
      guard let number = Int(text), (least...1_000_000_000).contains(number) else { return false }
      limits[keyPath: path] = number << 20
    case .seconds(let path):
      guard let seconds = Double(text), seconds >= 0.01, seconds <= 1_000_000 else { return false }
      limits[keyPath: path] = .seconds(seconds)
    }
    return true
  }
}
