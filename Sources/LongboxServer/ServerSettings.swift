// Longbox
// SPDX-License-Identifier: MIT

public import Logging
public import LongboxPush
public import LongboxReaders

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
  /// The maximum wait for the size of a comic's picture before its page reserves a typical place.
  public var pictureWait = Duration.milliseconds(300)
  /// Measures that wait.
  public var clock: any Clock<Duration> = ContinuousClock()

  /// The operator's names of this machine, in lower case, for `Host`, certificates and redirects.
  public var hostNames: [String] = []
  /// Where the certificate for HTTPS comes from; without effect if the server listens on loopback alone.
  public var tls = TLSSettings.off
  /// The proxies that are believed about their clients.
  public var trustedProxies = TrustedProxies()
  /// The header field in which a trusted proxy names a reader whom it has signed in; nil to ignore all.
  public var remoteUserField: RemoteUserField?
  /// Where readers find the server.
  public var site = SiteAddress()
  /// Proves that a request comes from this machine's user; nil if nothing does.
  public var machineKey: AccessToken?
  /// Whether everyone in the network may read and change without signing in.
  public var isOpen = false

  /// Whether the records at xkcd's own addresses (`/353/info.0.json`) name this server's pictures.
  public var namesOwnPictures = false

  /// Lets a person at this machine open the server to the network; nil if the program can't.
  public var setup: NetworkSetup?

  /// The sites whose pages may show comics in frames.
  public var frameAncestors = FrameAncestors()

  /// Whether only this machine can reach the server.
  public var isLoopback: Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }

  /// How requests are logged; nil for not at all.
  public var accessLog: AccessLogSettings?

  /// The folder with the daily backups; nil for none.
  public var backups: BackupFolder?
  /// The questions that show whether the sources answer.
  public var sources: [SourceQuestion] = []

  /// What is counted for `/metrics`; nil for nothing.
  public var metrics: ServerMetrics?

  /// Logs what concerns notifications; nil for the server's logger.
  public var readersLogger: Logger?
  /// The operator's address for push services; nil if there is none.
  public var contact: PushContact?
  /// Sends notifications to browsers; nil for no notifications.
  public var push: PushSender?
  /// Tells the operator's hooks of new comics; nil if there are none.
  public var hooks: HookSender?

  public init(host: String = "127.0.0.1", port: Int = 8353, version: String = "development") {
    self.host = host
    self.port = port
    self.version = version
  }
}
