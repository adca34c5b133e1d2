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
    case androidFirefox
    case windows
    /// macOS.
    case mac
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

/// The start page as HTML.
struct StartPage {
  let offer: StartOffer

  var document: HTML {
    var document = HTML(trusted: "<!doctype html>")
    document.append(html(Attribute("lang", "en")) { top + LongboxPages.body { main } })
    return document
  }

  private var top: HTML {
    head {
      meta(Attribute("charset", "utf-8"))
      meta(Attribute("name", "viewport"), Attribute("content", "width=device-width, initial-scale=1"))
      LongboxPages.title { "Use Longbox on this device" }
      HTML(element: "style", [], HTML(trusted: StartOffer.style))
      HTML(element: "script", [Attribute("type", "module")], HTML(trusted: StartOffer.script))
    }
  }

  private var main: HTML {
    LongboxPages.main {
      h1 { "Use Longbox on this device" }
      if offer.isSecure { reached } else if offer.secureAddress != nil { trust } else { plain }
      places
      alternatives
    }
  }

  /// The steps once HTTPS works.
  private var reached: HTML {
    section {
      if offer.hasSignIn {
        h2 { "1. Sign in" }
        p { "This device trusts Longbox. Sign in with the passphrase of your household." }
        p { a(.class("go"), .href(.signIn)) { "Sign in" } }
        h2 { "2. Install" }
      } else {
        h2 { "Install" }
        p { a(.class("go"), .href(.latest)) { "Open Longbox" } }
      }
      installing
    }
  }

  private var installing: HTML {
    ul {
      li {
        strong { "iPhone, iPad:" }
        " in Safari tap Share, then “Add to Home Screen”. Sign in again inside the app: it doesn’t share Safari’s sign-in."
      }
      li {
        strong { "Android, Chrome:" }
        " open the menu, then “Add to Home screen”, “Install”. The phone needs the internet for this moment."
      }
      li {
        strong { "Android, Firefox:" }
        " adds a shortcut, not an app. Reading works; for offline use prefer Chrome."
      }
      li {
        strong { "Computers:" }
        " Chrome and Edge show “Install” in the address bar."
      }
    }
  }

  /// The steps before the device trusts the household's authority.
  private var trust: HTML {
    section {
      h2 { "1. Let this device trust your Longbox" }
      if let fingerprint = offer.fingerprint {
        p {
          "Longbox on this machine made its own certificate authority. It can only vouch for names and addresses in home "
          "networks. Download its certificate, and install it as below."
        }
        p { a(.class("go"), .href(.local("/ca.crt"))) { "Download the certificate" } }
        for platform in order { disclosure(platform, isOpen: platform == offer.platform) }
        p {
          "Where the device shows the certificate’s SHA-256 fingerprint, compare it with the one in the terminal of the machine:"
        }
        p(.class("key")) { fingerprint }
      }
      h2 { "2. Go on" }
      p(.id("state"), .role("status")) { "Done? Open Longbox by HTTPS:" }
      if let address = offer.secureAddress {
        p { a(.class("go"), .id("secure"), .href(.external(address))) { "Is it trusted already?" } }
      }
      p {
        "The next page lets you sign in and install Longbox. If a warning appears instead, a step above is missing."
      }
    }
  }

  private var plain: HTML {
    section {
      p {
        "This Longbox is served without HTTPS, so that a browser can show it, but not install it or keep it for offline use. "
        "Run “longbox setup” on the machine, or put Longbox behind a proxy with a certificate."
      }
      p { a(.class("go"), .href(.latest)) { "Open Longbox" } }
    }
  }

  /// All platforms, the device's own first.
  private var order: [StartOffer.Platform] {
    let all = StartOffer.Platform.allCases
    return all.filter { $0 == offer.platform } + all.filter { $0 != offer.platform }
  }

  private func disclosure(_ platform: StartOffer.Platform, isOpen: Bool) -> HTML {
    details(isOpen ? Attribute("open") : .none) {
      HTML(element: "summary", [], HTML(platform.name))
      ol {
        for step in platform.steps {
          li {
            HTML(step.words)
            if let drawing = step.drawing { drawing.html }
          }
        }
      }
    }
  }

  private var places: HTML {
    section {
      if !offer.addresses.isEmpty {
        h2 { "Addresses of Longbox" }
        p {
          "Install from the name if it works on your device. An address with numbers may change when the router restarts."
        }
        ul {
          for address in offer.addresses {
            li(.class("key")) { a(.class("place"), .href(.external(address + "/start"))) { address } }
          }
        }
      }
      if let symbol = offer.symbol { symbol.drawing(named: "QR code of this page") }
    }
  }

  private var alternatives: HTML {
    section {
      h2 { "Without a certificate of your own" }
      ul {
        li {
          strong { "Tailscale:" }
          " “tailscale serve” gives the machine a public name and certificate, also away from home."
        }
        li {
          strong { "A domain of yours with Caddy" }
          " in front of Longbox: trusted everywhere, also by Firefox on Android and e-readers."
        }
        li {
          strong { "A static copy" }
          " on a web host: “longbox publish” writes it. Each device keeps its own favorites there, without sync."
        }
      }
      p { "E-readers and many apps ignore certificates that you install. They need one of these ways." }
    }
  }
}

/// What to do on a device, in words and perhaps with a drawing.
private struct Step {
  let words: StaticString
  let drawing: ScreenDrawing?

  init(_ words: StaticString, _ drawing: ScreenDrawing? = nil) {
    self.words = words
    self.drawing = drawing
  }
}

extension StartOffer.Platform {
  fileprivate var name: StaticString {
    switch self {
    case .apple: "iPhone and iPad"
    case .android: "Android with Chrome"
    case .androidFirefox: "Android with Firefox"
    case .windows: "Windows"
    case .mac: "Mac"
    case .linux: "Linux"
    }
  }

  fileprivate var steps: [Step] {
    switch self {
    case .apple:
      [
        Step(
          "Open this page in Safari, tap “Download the certificate”, and allow the download.",
          ScreenDrawing(title: "Safari", rows: ["Ignore", "Allow"], tapped: 1)
        ),
        Step(
          "Open the Settings app, tap “Profile Downloaded”, then Install. (Later you find it under General, VPN & Device Management.)",
          ScreenDrawing(title: "Settings", rows: ["Profile Downloaded", "General"], tapped: 0)
        ),
        Step(
          "Still in Settings: General, About, Certificate Trust Settings. Switch the one named Longbox on. Without this step nothing works.",
          ScreenDrawing(title: "Certificate Trust Settings", rows: ["Longbox"], tapped: 0, hasSwitch: true)
        ),
      ]
    case .android:
      [
        Step("Tap “Download the certificate”."),
        Step(
          "Open the phone’s Settings and search for “CA certificate”. It is under Security & privacy, Encryption & credentials.",
          ScreenDrawing(title: "Settings", rows: ["Search", "CA certificate"], tapped: 1)
        ),
        Step(
          "Tap “CA certificate”, “Install anyway”, and pick the file longbox-ca.crt.",
          ScreenDrawing(title: "CA certificate", rows: ["Don’t install", "Install anyway"], tapped: 1)
        ),
      ]
    case .androidFirefox:
      [
        Step("Install the certificate in Android as for Chrome."),
        Step(
          "If Firefox still warns: Settings, About Firefox, tap the logo seven times, go back, Secret Settings, “Use third party CA certificates”, and restart Firefox."
        ),
      ]
    case .windows:
      [
        Step("Download the certificate and open the file."),
        Step(
          "Install Certificate, Current User, “Place all certificates in the following store”, Trusted Root Certification Authorities.",
          ScreenDrawing(title: "Certificate", rows: ["Install Certificate …"], tapped: 0)
        ),
        Step("Restart the browser."),
      ]
    case .mac:
      [
        Step("Download the certificate and open the file: Keychain Access adds it."),
        Step(
          "Double-click it there, open Trust, choose “Always Trust”.",
          ScreenDrawing(title: "Trust", rows: ["Always Trust"], tapped: 0)
        ),
      ]
    case .linux:
      [
        Step("Firefox: Settings, Privacy & Security, View Certificates, Authorities, Import; tick websites."),
        Step("Chrome: certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n Longbox -i longbox-ca.crt"),
      ]
    }
  }
}

/// A drawing of the screen on which a step is done, with the row to tap in another colour.
///
/// The words beside it say the same, so screen readers skip it.
struct ScreenDrawing {
  /// The heading of the screen.
  let title: StaticString
  /// The texts of its rows, at most two.
  let rows: [StaticString]
  /// The index of the row to tap.
  let tapped: Int
  /// Whether the row to tap has a switch, which is on.
  var hasSwitch = false

  /// The height of a row with the space after it.
  private static let step = 40

  var html: HTML {
    let bottom = 46 + rows.count * Self.step
    let frame: Text =
      "M8 " + Text(decimal: bottom) + "V20a12 12 0 0 1 12-12h200a12 12 0 0 1 12 12V" + Text(decimal: bottom)
    var content = path(frame) + text(title, x: 120, y: 30, isTitle: true)
    for (place, row) in rows.enumerated() {
      let top = 44 + place * Self.step
      content.append(box(top, isTapped: place == tapped) + text(row, x: 30, y: top + 21, isTitle: false))
      if place == tapped, hasSwitch { content.append(switchThatIsOn(top)) }
    }
    let viewBox: Text = "0 0 240 " + Text(decimal: bottom)
    return HTML(
      element: "svg",
      [.class("screen"), Attribute("viewBox", viewBox), Attribute("aria-hidden", "true")],
      content
    )
  }

  private func box(_ top: Int, isTapped: Bool) -> HTML {
    HTML(
      element: "rect",
      [
        isTapped ? .class("tap") : .none, Attribute("x", 20), Attribute("y", top), Attribute("width", 200),
        Attribute("height", 32), Attribute("rx", 8),
      ],
      HTML()
    )
  }

  private func switchThatIsOn(_ top: Int) -> HTML {
    HTML(
      element: "rect",
      [
        .class("tap"), Attribute("x", 178), Attribute("y", top + 7), Attribute("width", 32),
        Attribute("height", 18),
        Attribute("rx", 9),
      ],
      HTML()
    )
      + HTML(
        element: "circle",
        [.class("tap"), Attribute("cx", 201), Attribute("cy", top + 16), Attribute("r", 6)],
        HTML()
      )
  }

  private func path(_ outline: Text) -> HTML {
    HTML(element: "path", [Attribute("d", outline)], HTML())
  }

  private func text(_ words: StaticString, x: Int, y: Int, isTitle: Bool) -> HTML {
    HTML(
      element: "text",
      [isTitle ? Attribute("text-anchor", "middle") : .none, Attribute("x", x), Attribute("y", y)],
      HTML(words)
    )
  }
}
#endif
