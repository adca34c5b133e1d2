// Longbox
// SPDX-License-Identifier: MIT

/// How requests are logged.
public struct AccessLogSettings: Sendable {
  /// The form of a line.
  public enum Format: String, CaseIterable, Sendable {
    /// The combined format of Apache and nginx.
    case combined
    /// A JSON object.
    case json
  }

  /// The form of a line.
  public var format: Format
  /// Whether addresses of clients are complete; otherwise the network is logged, /24 or /48.
  public var hasFullAddresses: Bool
  /// Writes whole lines; it may block, and is called on a thread of its own.
  public var write: @Sendable ([UInt8]) throws -> Void

  /// Makes settings.
  public init(
    format: Format,
    hasFullAddresses: Bool = false,
    write: @escaping @Sendable ([UInt8]) throws -> Void
  ) {
    self.format = format
    self.hasFullAddresses = hasFullAddresses
    self.write = write
  }
}
