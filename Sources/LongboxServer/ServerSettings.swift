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
  /// How much clients may use of it.
  public var limits = Limits()
  /// The memory for rendered pages, in bytes.
  public var pageMemory = 4 << 20
  /// The maximum wait for a source before a page says what is missing.
  public var timeout = Duration.seconds(6)

  /// The operator's names of this machine, in lower case, for `Host`, certificates and redirects.
  public var hostNames: [String] = []
  /// Where the certificate for HTTPS comes from; without effect if the server listens on loopback alone.
  public var tls = TLSSettings.off
  /// The proxies that are believed about their clients.
  public var trustedProxies = TrustedProxies()
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
