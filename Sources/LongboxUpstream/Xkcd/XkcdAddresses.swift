// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// The addresses of xkcd and its pictures, or of what replaces them.
///
/// ## Configuration keys
/// - `LONGBOX_XKCD_URL` (default `https://xkcd.com`): `{url}/info.0.json` and `{url}/{n}/info.0.json`.
/// - `LONGBOX_XKCD_IMAGES_URL` (default `https://imgs.xkcd.com`): replaces that scheme and host in `img`.
public struct XkcdAddresses: Hashable, Sendable {
  /// The address before `/info.0.json`.
  public let site: WebAddress
  /// The replacement of `https://imgs.xkcd.com`.
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

  /// Parses the operator's addresses, which may be private or loopback.
  /// - Parameters:
  ///   - site: `LONGBOX_XKCD_URL`, or nil for xkcd itself.
  ///   - images: `LONGBOX_XKCD_IMAGES_URL`, or nil for xkcd itself.
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

  /// The allowed hosts: those configured, and xkcd's own for redirects.
  public var origins: Set<WebAddress.Origin> {
    Source.xkcd.ownOrigins.union([site.origin, images.origin])
  }

  /// The address of the latest comic's record.
  public var latest: WebAddress { site.appending("info.0.json") }

  /// The address of a comic's record.
  public func record(of number: Comic.Number) -> WebAddress { site.appending("\(number.value)/info.0.json") }

  /// The address of a picture at the configured host.
  ///
  /// Only addresses at `imgs.xkcd.com` are accepted, http or https. The percent-encoding is kept: 1446's file
  /// really is named `%3F%3F%3F.png`.
  /// - Parameters:
  ///   - address: `img` of a record.
  ///   - doubleSize: whether to add `_2x` before the extension, for the double-size picture.
  /// - Returns: nil if it is not the address of an xkcd picture.
  public func picture(at address: Text, doubleSize: Bool) -> WebAddress? {
    guard let given = Self.plain(address.description), given.origin.host == "imgs.xkcd.com" else {
      return nil
    }
    var target = String(given.target.dropFirst())
    guard let name = target.split(separator: "/", omittingEmptySubsequences: false).last, !name.isEmpty else {
      return nil
    }
    if doubleSize {
      guard let dot = target.lastIndex(of: "."), name.contains(".") else { return nil }
      target.insert(contentsOf: "_2x", at: dot)
    }
    return images.appending(target)
  }

  /// The address of a page or file of xkcd.com or imgs.xkcd.com, at the configured host.
  /// - Parameter address: an absolute address, such as ``Comic/link``.
  /// - Returns: nil if it is elsewhere.
  public func anything(at address: Text) -> WebAddress? {
    guard let given = Self.plain(address.description) else { return nil }
    let target = String(given.target.dropFirst())
    switch given.origin.host {
    case "xkcd.com", "www.xkcd.com": return site.appending(target)
    case "imgs.xkcd.com": return images.appending(target)
    default: return nil
    }
  }

  /// An address without query at its scheme's port; nil if it isn't one.
  private static func plain(_ text: String) -> WebAddress? {
    guard let given = WebAddress(text.hasPrefix("//") ? "https:" + text : text) else { return nil }
    guard given.origin.port == given.origin.scheme.defaultPort, !given.target.contains("?") else {
      return nil
    }
    // A server may decode an encoded dot, and so leave the configured folder.
    let isPlain = given.target.split(separator: "/").allSatisfy {
      ![".", ".."].contains($0.replacing("%2E", with: ".").replacing("%2e", with: "."))
    }
    return isPlain ? given : nil
  }
}
