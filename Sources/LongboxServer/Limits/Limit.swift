// Longbox
// SPDX-License-Identifier: MIT

/// One of the ``Limits`` as a setting.
public struct Limit: Sendable {
  private enum Place: Sendable {
    case number(any WritableKeyPath<Limits, Int> & Sendable)
    case seconds(any WritableKeyPath<Limits, Duration> & Sendable)
  }

  /// The setting's name below `limits`, such as `connectionsPerAddress`.
  public let name: String
  private let place: Place

  private init(_ name: String, _ path: any WritableKeyPath<Limits, Int> & Sendable) {
    self.name = name
    place = .number(path)
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
    case .number: "a whole number above 0"
    case .seconds: "a number of seconds above 0"
    }
  }

  /// The value as a setting has it.
  public func text(in limits: Limits) -> String {
    switch place {
    case .number(let path): return String(limits[keyPath: path])
    case .seconds(let path):
      let seconds = limits[keyPath: path] / .seconds(1)
      return seconds == seconds.rounded() ? String(Int(seconds)) : String(seconds)
    }
  }

  /// Sets the limit.
  /// - Returns: whether the text is a valid value; otherwise nothing changes.
  public func set(_ text: String, in limits: inout Limits) -> Bool {
    switch place {
    case .number(let path):
      guard let number = Int(text), (1...1_000_000_000).contains(number) else { return false }
      limits[keyPath: path] = number
    case .seconds(let path):
      guard let seconds = Double(text), seconds >= 0.01, seconds <= 1_000_000 else { return false }
      limits[keyPath: path] = .seconds(seconds)
    }
    return true
  }
}
