// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// Where xkcd, its pictures, or what stands in for them, is found.
///
/// ## Configuration keys
/// - `LONGBOX_XKCD_URL` (default `https://xkcd.com`): `{url}/info.0.json` and `{url}/{n}/info.0.json`.
/// - `LONGBOX_XKCD_IMAGES_URL` (default `https://imgs.xkcd.com`): takes the place of that scheme and host in `img`.
public struct XkcdAddresses: Hashable, Sendable {
  /// What stands before `/info.0.json`.
  public let site: WebAddress
  /// What takes the place of `https://imgs.xkcd.com`.
  public let images: WebAddress

  /// xkcd itself.
  public static var standard: XkcdAddresses {
    XkcdAddresses(
      site: WebAddress(origin: .init(scheme: .https, host: "xkcd.com", port: 443), target: "/"),
      images: WebAddress(origin: .init(scheme: .https, host: "imgs.xkcd.com", port: 443), target: "/")
    )
  }

  private init(site: WebAddress, images: WebAddress) {
    self.site = site
    self.images = images
  }

  /// Takes addresses from the operator; they may be private or loopback.
  /// - Parameters:
  ///   - site: `LONGBOX_XKCD_URL`, or nothing for xkcd itself.
  ///   - images: `LONGBOX_XKCD_IMAGES_URL`, or nothing for xkcd itself.
  /// - Throws: ``SettingError/address(setting:value:)``.
  public init(site: String?, images: String?) throws(SettingError) {
    self.site =
      try site.map { text throws(SettingError) in
        try WebAddress(base: text, setting: "LONGBOX_XKCD_URL")
      } ?? Self.standard.site
    self.images =
      try images.map { text throws(SettingError) in
        try WebAddress(base: text, setting: "LONGBOX_XKCD_IMAGES_URL")
      } ?? Self.standard.images
  }

  /// The hosts that may be asked: those configured and xkcd's own, for redirects.
  public var origins: Set<WebAddress.Origin> {
    Source.xkcd.ownOrigins.union([site.origin, images.origin])
  }

  /// The record of the latest comic.
  public var latest: WebAddress { site.appending("info.0.json") }

  /// The record of a comic.
  public func record(of number: Comic.Number) -> WebAddress { site.appending("\(number.value)/info.0.json") }

  /// The address to ask for a picture whose address a record gives.
  ///
  /// Only what is at `imgs.xkcd.com` counts as a picture of xkcd's, http or https; the host is then replaced by the
  /// configured one. The percent-encoding stays as it is: 1446's file really is named `%3F%3F%3F.png`.
  /// - Parameters:
  ///   - address: `img` of a record.
  ///   - doubleSize: whether the picture of twice the resolution is meant: the name with `_2x` before the ending.
  /// - Returns: nothing where there is no such picture at xkcd's.
  public func picture(at address: Text, doubleSize: Bool) -> WebAddress? {
    let text = address.description
    guard let given = WebAddress(text.hasPrefix("//") ? "https:" + text : text) else { return nil }
    guard given.origin.host == "imgs.xkcd.com", given.origin.port == given.origin.scheme.defaultPort else {
      return nil
    }
    let parts = given.target.split(separator: "/", omittingEmptySubsequences: false)
    guard let name = parts.last, !name.isEmpty, !given.target.contains("?") else { return nil }
    // A server may take an encoded dot for a dot, and so step out of the configured folder.
    let isPlain = parts.allSatisfy {
      ![".", ".."].contains($0.replacing("%2E", with: ".").replacing("%2e", with: "."))
    }
    guard isPlain else { return nil }
    var target = String(given.target.dropFirst())
    if doubleSize {
      guard let dot = target.lastIndex(of: "."), name.contains(".") else { return nil }
      target.insert(contentsOf: "_2x", at: dot)
    }
    return images.appending(target)
  }
}
