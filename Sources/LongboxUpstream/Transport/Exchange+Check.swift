// Longbox
// SPDX-License-Identifier: MIT

extension Exchange {
  /// A small question that shows whether xkcd answers.
  public static func check(_ addresses: XkcdAddresses) -> Exchange { check(.xkcd, at: addresses.latest) }

  /// The same for explain xkcd.
  public static func check(_ address: ExplainAddress) -> Exchange { check(.explain, wiki: address.api) }

  /// The same for Wikipedia.
  public static func check(_ address: WikipediaAddress) -> Exchange { check(.wikipedia, wiki: address.api) }

  /// The same for the iTunes Store.
  public static func check(_ addresses: ITunesAddresses) -> Exchange {
    check(.itunes, at: addresses.site.appending("lookup").asking([(name: "id", value: "1")]))
  }

  private static func check(_ source: Source, wiki api: WebAddress) -> Exchange {
    check(
      source,
      at: api.asking([
        (name: "action", value: "query"), (name: "meta", value: "siteinfo"), (name: "format", value: "json"),
      ])
    )
  }

  private static func check(_ source: Source, at address: WebAddress) -> Exchange {
    Exchange(
      source: source,
      subject: "an answer",
      address: address,
      byteLimit: 256 << 10,
      timeLimit: .seconds(5)
    )
  }
}
