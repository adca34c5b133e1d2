// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import LongboxReaders

/// What kind of answer a request expects, as far as signing in is concerned.
enum RequestKind {
  /// The path of a request, without the query.
  static func path(of head: HTTPRequest) -> Substring {
    (head.path ?? "/").prefix { $0 != "?" }
  }

  /// Whether a stranger may read it: what the sign-in and start pages need, and the health check.
  static func isOpen(_ path: Substring) -> Bool {
    switch path {
    case "/sign-in", "/start", "/ca.crt", "/healthz", "/ready", "/favicon.ico", "/manifest.webmanifest",
      BasePathController.outside, BasePathController.slashless:
      true
    default: path.hasPrefix("/assets/") && !path.dropFirst(8).contains("/")
    }
  }

  /// Whether a device without trust in the authority may read it without encryption.
  static func isForStart(_ path: Substring) -> Bool {
    path == "/start" || path == "/ca.crt"
  }

  /// Whether programs read it: feeds, catalogues, the API, comics in xkcd's format.
  static func isForPrograms(_ path: Substring) -> Bool {
    ["/feed.", "/feeds/", "/opds/", "/api/"].contains { path.hasPrefix($0) } || path == "/opds"
      || path == "/api"
      || path == "/oembed" || path == "/metrics" || path.hasSuffix("/info.0.json")
      || path.hasSuffix("/comic.cbz")
  }

  /// Whether an access key opens it: what programs read, and the pictures in it.
  static func isForKeys(_ path: Substring) -> Bool {
    isForPrograms(path) || path == "/explanations" || path.hasPrefix("/explanations/")
      || (path.hasPrefix("/comics/") && path.dropFirst(8).contains("/"))
      || (path.hasPrefix("/albums/") && path.hasSuffix("/cover"))
  }

  /// Whether a browser opens it as a page.
  static func isNavigation(_ head: HTTPRequest) -> Bool {
    if let mode = fetchMode(of: head) { return mode == "navigate" }
    return head.headerFields[.accept]?.contains("text/html") ?? false
  }

  /// How a browser makes the request (Fetch Metadata); nil for programs and old browsers.
  static func fetchMode(of head: HTTPRequest) -> String? {
    fetchModeName.flatMap { head.headerFields[$0] }
  }

  private static let fetchModeName = HTTPField.Name("Sec-Fetch-Mode")

  /// Whether the request comes from this machine itself: from a loopback address, to a loopback address, and without
  /// the header fields that proxies and tunnels add.
  static func isLocal(_ head: HTTPRequest, from client: ClientAddress) -> Bool {
    client.isLoopback && HostField(head.authority)?.isLoopback == true && !isForwarded(head)
  }

  /// Whether a proxy or a tunnel says that it passed the request on.
  static func isForwarded(_ head: HTTPRequest) -> Bool {
    head.headerFields.contains { field in forwarding.contains(field.name) }
  }

  private static let forwarding: [HTTPField.Name] = [
    "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via",
    "Longbox-Client", "Longbox-User",
  ].compactMap { HTTPField.Name($0) }
}
