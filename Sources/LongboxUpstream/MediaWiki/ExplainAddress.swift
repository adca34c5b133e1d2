// Longbox
// SPDX-License-Identifier: MIT

/// The address of explain xkcd, or of what replaces it.
///
/// ## Configuration keys
/// - `LONGBOX_EXPLAIN_URL` (default `https://www.explainxkcd.com/wiki/api.php`): its `api.php`, MediaWiki's
///   action API.
public struct ExplainAddress: Hashable, Sendable {
  /// The address of `api.php`.
  public let api: WebAddress

  /// explain xkcd itself.
  public static var standard: ExplainAddress {
    ExplainAddress(
      api: WebAddress(
        origin: .init(scheme: .https, host: "www.explainxkcd.com", port: 443),
        target: "/wiki/api.php"
      )
    )
  }

  private init(api: WebAddress) {
    self.api = api
  }

  /// Parses the operator's address, which may be private or loopback.
  /// - Parameter api: `LONGBOX_EXPLAIN_URL`, or nil for explain xkcd itself.
  /// - Throws: ``SettingError/address(setting:value:)``.
  public init(api: String?) throws(SettingError) {
    guard let api else {
      self = .standard
      return
    }
    self.api = try WebAddress(base: api, setting: "LONGBOX_EXPLAIN_URL")
  }

  /// The allowed hosts: the one configured, and the wiki's own for redirects.
  public var origins: Set<WebAddress.Origin> { Source.explain.ownOrigins.union([api.origin]) }

  /// The address of a query for pages; a comic's number redirects to its page: "353" to "353: Python".
  /// - Parameters:
  ///   - numbers: which comics, at most ``ExplainClient/batchSize``.
  ///   - continuation: the parameters that the last reply gave for the rest.
  ///   - maximumLag: the largest accepted lag of the wiki's database in seconds, for background work.
  func pages(
    about numbers: some Sequence<Int>,
    continuation: [String: String] = [:],
    maximumLag: Int? = nil
  ) -> WebAddress {
    var fields = [
      ("action", "query"), ("format", "json"), ("formatversion", "2"), ("prop", "revisions"),
      ("rvprop", "ids|timestamp|content"), ("rvslots", "main"), ("redirects", "1"),
      ("titles", numbers.map { "\($0)" }.joined(separator: "|")),
    ]
    if let maximumLag { fields.append(("maxlag", "\(maximumLag)")) }
    fields += continuation.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return api.asking(fields.map { (name: $0.0, value: $0.1) })
  }
}
