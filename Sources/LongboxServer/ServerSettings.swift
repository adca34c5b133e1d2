// Longbox
// SPDX-License-Identifier: MIT

public import LongboxPush

/// Where the server listens, and its limits.
public struct ServerSettings: Sendable {
  /// The address to listen at.
  public var host: String
  /// The port to listen at; 0 for any free port.
  public var port: Int
  /// The program's version, shown on the page about it.
  public var version: String
  /// The maximum number of connections at a time; more connections wait.
  public var connectionLimit = 512
  /// The maximum length of a request's address, in bytes.
  public var addressLimit = 4096
  /// The maximum length of a request's body, in bytes.
  public var bodyLimit = 64 << 10
  /// The maximum length of a request's header, in bytes.
  public var headerLimit = 16 << 10
  /// The maximum idle time of a connection.
  public var idleTimeout = Duration.seconds(60)
  /// How long a new connection may say nothing, where one port speaks HTTP and HTTPS.
  public var silenceTimeout = Duration.seconds(10)
  /// The memory for rendered pages, in bytes.
  public var pageMemory = 4 << 20
  /// The maximum wait for a source before a page says what is missing.
  public var timeout = Duration.seconds(6)

  /// The operator's names of this machine, in lower case, for certificates and redirects.
  public var hostNames: [String] = []
  /// Where the certificate for HTTPS comes from; without effect if the server listens on loopback alone.
  public var tls = TLSSettings.off
  /// Whether everybody is let in whom the network reaches.
  public var isOpen = false

  /// Whether only this machine can reach the server.
  public var isLoopback: Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }

  /// Sends notifications to browsers; nil for no notifications.
  public var push: PushSender?

  /// Creates settings.
  public init(host: String = "127.0.0.1", port: Int = 8353, version: String = "development") {
    self.host = host
    self.port = port
    self.version = version
  }
}
