// Longbox
// SPDX-License-Identifier: MIT

public import LongboxPush

/// Where the server listens, and how much it takes from a client.
public struct ServerSettings: Sendable {
  /// The address to listen at.
  public var host: String
  /// The port to listen at; 0 for any that is free.
  public var port: Int
  /// The program's version, shown on the page about it.
  public var version: String
  /// The most connections at a time; more wait.
  public var connectionLimit = 512
  /// The longest address of a request, in bytes.
  public var addressLimit = 4096
  /// The longest body of a request, in bytes.
  public var bodyLimit = 64 << 10
  /// The most bytes of a request's header.
  public var headerLimit = 16 << 10
  /// How long a connection may be silent.
  public var idleTimeout = Duration.seconds(60)
  /// How many bytes of rendered pages are kept in memory.
  public var pageMemory = 4 << 20
  /// How long a reader waits for a source before a page says what is missing.
  public var patience = Duration.seconds(6)

  /// Sends notifications to browsers; nothing where there are to be none.
  public var push: PushSender?

  /// Makes settings.
  public init(host: String = "127.0.0.1", port: Int = 8353, version: String = "development") {
    self.host = host
    self.port = port
    self.version = version
  }
}
