// Longbox
// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
import LongboxCore

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
#endif
