// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// The content of the sign-in page.
public struct SignInOffer: Equatable, Sendable {
  /// Why the last attempt failed.
  public enum Problem: Equatable, Sendable {
    /// The passphrase was wrong.
    case wrong
    /// There were too many wrong ones; the number of seconds to wait.
    case tooMany(seconds: Int)
  }

  /// The path to open afterwards.
  public var target: Text
  /// Why the last attempt failed; nil before the first.
  public var problem: Problem?
  /// Whether the browser may be on the machine with Longbox, whose user has another way in.
  public var isOnMachine = false

  public init(target: Text, problem: Problem? = nil) {
    self.target = target
    self.problem = problem
  }

  var status: Int {
    switch problem {
    case nil: 200
    case .wrong: 401
    case .tooMany: 429
    }
  }
}

struct SignInPage: Equatable {
  let offer: SignInOffer
}

extension SignInPage: Page {
  var title: Text { "Sign in" }
  var kind: Text { "message-page" }
  var showsComics: Bool { false }

  var content: HTML {
    div(.class("message empty")) {
      Drawing.boxWithRoom.html
      switch offer.problem {
      case nil: HTML()
      case .wrong:
        p(.id("problem"), .role("alert")) { "That is not the passphrase. Check it and try again." }
      case .tooMany(let seconds):
        p(.id("problem"), .role("alert")) {
          "There were too many wrong passphrases. Try again in " + Self.spelled(seconds) + "."
        }
      }
      p { "This Longbox belongs to a household. Sign in once on each device." }
      form(.class("sign-in"), .action(.signIn), Attribute("method", "post")) {
        hidden("to", offer.target)
        label(Attribute("for", "passphrase")) { "Passphrase" }
        input(
          .id("passphrase"),
          Attribute("type", "password"),
          Attribute("name", "passphrase"),
          Attribute("autocomplete", "current-password"),
          Attribute("maxlength", "200"),
          Attribute("required"),
          offer.problem == nil ? .none : Attribute("aria-describedby", "problem")
        )
        button(.class("button action"), Attribute("type", "submit")) { "Sign in" }
      }
      p(.class("hint")) {
        "A one-time code from a device that is signed in works here, too: Settings, Devices, Connect."
      }
      if offer.isOnMachine {
        p(.class("hint")) {
          "On the machine with Longbox, this command opens it signed in: "
          strong { "longbox open" }
        }
      }
    }
  }

  private static func spelled(_ seconds: Int) -> Text {
    if seconds <= 1 { return "a second" }
    if seconds < 120 { return Text(decimal: seconds) + " seconds" }
    return Text(decimal: (seconds + 59) / 60) + " minutes"
  }
}

/// The devices that are signed in, and the access keys of programs.
public struct DevicesOffer: Equatable, Sendable {
  /// A device or an access key.
  public struct Entry: Equatable, Sendable {
    /// The number of the device or key.
    public var id: Int
    public var name: Text
    /// When it was last used, such as "21 November 2026, 07:25 UTC"; empty if never.
    public var seen: Text
    /// Whether the page is shown on this device.
    public var isThis: Bool

    public init(id: Int, name: Text, seen: Text, isThis: Bool = false) {
      self.id = id
      self.name = name
      self.seen = seen
      self.isThis = isThis
    }
  }

  /// A one-time code for another device.
  public struct Code: Equatable, Sendable {
    /// The code, to type.
    public var code: Text
    /// The address with the code.
    public var link: Text
    /// The address as a QR code.
    public var symbol: QRSymbol?

    public init(code: Text, link: Text, symbol: QRSymbol?) {
      self.code = code
      self.link = link
      self.symbol = symbol
    }
  }

  /// Whether devices sign in at all.
  public var isOn = true
  public var devices: [Entry] = []
  public var keys: [Entry] = []
  /// A new access key, shown this once.
  public var newKey: Text?
  public var code: Code?

  public init() {}
}

struct DevicesPage: Equatable {
  let offer: DevicesOffer
}

extension DevicesPage: SettingsSubpage {
  var title: Text { "Devices" }

  @HTMLBuilder var groups: HTML {
    if offer.isOn {
      if let code = offer.code { shown(code) }
      devices
      connecting
      if let key = offer.newKey { shown(key) }
      keys
    } else {
      off
    }
  }

  private var off: HTML {
    p(.class("hint")) {
      "This Longbox needs no sign-in. To let other devices in safely, open Settings on the machine with Longbox, and "
      "choose “Use Longbox on your phone”."
    }
  }

  private var devices: HTML {
    SettingsRows.group("Signed-in devices", id: "signed-in-title") {
      div(.class("rows")) {
        if offer.devices.isEmpty { div(.class("row")) { "No device is signed in." } }
        for device in offer.devices { row(device, "sign-out", "Sign out") }
      }
      if offer.devices.count > 1 {
        action("sign-out-others") {
          button(.class("button action"), Attribute("type", "submit")) { "Sign out all others" }
        }
      }
    }
  }

  private var connecting: HTML {
    SettingsRows.group("Connect a device", id: "connect-title") {
      action("connect") { button(.class("button action"), Attribute("type", "submit")) { "Connect" } }
      p(.class("hint")) {
        "Makes a code that signs another device in. It works once, within ten minutes. An app on the Home Screen of an "
        "iPhone needs it, since it doesn’t share Safari’s sign-in."
      }
    }
  }

  private func shown(_ code: DevicesOffer.Code) -> HTML {
    section(.class("group"), .role("status"), .label("One-time code")) {
      p { "Type this code in place of the passphrase, or point the other device’s camera at the square." }
      p { strong(.class("address")) { code.code } }
      if let symbol = code.symbol { symbol.drawing(named: "QR code of the link") }
      p(.class("hint")) { bdi { code.link } }
    }
  }

  private var keys: HTML {
    SettingsRows.group("Access keys", id: "keys-title") {
      div(.class("rows")) {
        if offer.keys.isEmpty { div(.class("row")) { "There are no access keys." } }
        for key in offer.keys { row(key, "revoke", "Revoke") }
      }
      action("make-key") {
        label(Attribute("for", "key-name")) { "Name of the program" }
        input(
          .id("key-name"),
          Attribute("type", "text"),
          Attribute("name", "name"),
          Attribute("maxlength", "60"),
          Attribute("required")
        )
        button(.class("button action"), Attribute("type", "submit")) { "Make a key" }
      }
      p(.class("hint")) {
        "Feed readers, e-readers and other programs use a key as their password, with any user name. A key can read "
        "comics, feeds and the API, and change nothing."
      }
    }
  }

  private func shown(_ key: Text) -> HTML {
    section(.class("group"), .role("status"), .label("New access key")) {
      p { "This is the new key. Copy it now: it isn’t shown again." }
      p { strong(.class("address"), .id("new-key")) { key } }
    }
  }

  private func row(_ entry: DevicesOffer.Entry, _ action: StaticString, _ name: StaticString) -> HTML {
    div(.class("row")) {
      div(.class("t")) {
        span { bdi { entry.name } }
        HTML(element: "small", [], HTML(described(entry)))
      }
      form(.action(.devices), Attribute("method", "post")) {
        hidden("do", Text(stringLiteral: action))
        hidden("id", Text(decimal: entry.id))
        button(
          .class("button"),
          Attribute("type", "submit"),
          .label(Text(stringLiteral: name) + " " + entry.name)
        ) { name }
      }
    }
  }

  private func described(_ entry: DevicesOffer.Entry) -> Text {
    if entry.isThis { return "This device" }
    return entry.seen.isEmpty ? "Never used" : "Last seen " + entry.seen
  }

  private func action(_ action: StaticString, @HTMLBuilder content: () -> HTML) -> HTML {
    form(.class("access"), .action(.devices), Attribute("method", "post")) {
      hidden("do", Text(stringLiteral: action))
      content()
    }
  }
}
