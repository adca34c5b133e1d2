// Longbox
// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
public import LongboxCore

/// The content of the start page: how a device trusts this server, signs in, and installs Longbox.
public struct StartOffer: Equatable, Sendable {
  /// The kinds of devices with steps of their own.
  public enum Platform: CaseIterable, Equatable, Sendable {
    /// An iPhone or iPad.
    case apple
    /// Android with Chrome or another browser that trusts what Android trusts.
    case android
    /// Firefox for Android.
    case androidFirefox
    /// Windows.
    case windows
    /// macOS.
    case mac
    /// Linux.
    case linux
  }

  /// The platform that the browser names; nil if none of them.
  public var platform: Platform?
  /// The address of this page by HTTPS; nil without HTTPS.
  public var secureAddress: Text?
  /// The SHA-256 of the authority's certificate, in pairs of digits; nil without an authority of our own.
  public var fingerprint: Text?
  /// Whether the page was opened by HTTPS, so that the device trusts the certificate or the person went past the
  /// warning.
  public var isSecure = false
  /// Whether devices have to sign in.
  public var hasSignIn = false
  /// The other addresses of this server, the name first.
  public var addresses: [Text] = []
  /// The address of this page as a QR code.
  public var symbol: QRSymbol?

  /// Makes an offer with nothing in it.
  public init() {}
}

extension StartOffer {
  /// The page as a document of its own.
  ///
  /// It is shown before the device trusts the server, so it loads no other file.
  /// - Parameter basePath: the path below which this site is, or empty.
  public func document(below basePath: Text) -> [UInt8] {
    StartPage(offer: self).document.bytes(below: basePath)
  }

  /// The content security policy of the page: its own style and script, and checks whether HTTPS works.
  public static func policy(style: String, script: String) -> String {
    "default-src 'none'; style-src '\(style)'; script-src '\(script)'; connect-src 'self' https:; img-src 'self'; "
      + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
  }

  /// The page's style sheet, whose hash is in the policy.
  public static var style: StaticString {
    """
    :root{color-scheme:light dark;font:1.0625rem/1.5 system-ui,sans-serif;background:light-dark(#faf8f3,#1b1f27);\
    color:light-dark(#1e2025,#e4e1da)}body{margin:0 auto;max-width:40rem;padding:1rem}h1{font-size:1.6rem}\
    h2{font-size:1.2rem;margin:1.6rem 0 .4rem}a{color:light-dark(#ad3a1c,#ff9f7f)}\
    .key{font:.9375rem/1.6 ui-monospace,monospace;overflow-wrap:anywhere}.key a{display:inline-block;padding:.6rem 0}\
    .go{display:inline-block;min-height:2.75rem;line-height:2.75rem;padding:0 1.25rem;border-radius:.75rem;\
    background:light-dark(#ad3a1c,#ff9f7f);color:light-dark(#fffdf9,#2a120a);font-weight:600;text-decoration:none}\
    summary{min-height:2.75rem;line-height:2.75rem}li{margin:.35rem 0}svg.qr{width:12rem;max-width:100%}\
    svg.screen{display:block;width:15rem;max-width:100%;margin:.4rem 0;fill:none;stroke:currentColor}\
    svg.screen text{fill:currentColor;stroke:none;font-size:14px}.tap{stroke:light-dark(#ad3a1c,#ff9f7f);stroke-width:2.5}\
    :is(a,summary):focus-visible{outline:3px solid light-dark(#ad3a1c,#ff9f7f);outline-offset:2px}\
    @media(forced-colors:active){.go{border:1px solid;color:LinkText}}
    """
  }

  /// The page's script: asks by HTTPS whether the device trusts the server, and goes there once it does.
  ///
  /// It prefers the first addresses, so a name to an IP address, which may change.
  public static var script: StaticString {
    """
    const to=document.getElementById("secure")?.href,state=document.getElementById("state");let tries=0
    const places=[...document.querySelectorAll(".place"),...document.querySelectorAll("#secure")].map(link=>link.href)
    async function answers(place){const options={mode:"no-cors",cache:"no-store",credentials:"omit"}
    try{await fetch(new URL("healthz",place),{...options,signal:AbortSignal.timeout?.(3000)});return true}catch{return false}}
    async function check(){if(document.visibilityState!=="visible")return
    const found=places[(await Promise.all(places.map(answers))).indexOf(true)];if(found)return location.replace(found)
    state.textContent=tries++?"Not trusted yet. This page checks again by itself.":"Not trusted yet."}
    if(to&&location.protocol==="http:"){check();setInterval(check,4000)}
    """
  }
}
#endif
