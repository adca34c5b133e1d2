// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// The devices that are signed in, and the access keys of programs.
public struct DevicesOffer: Equatable, Sendable {
  /// A device or an access key.
  public struct Entry: Equatable, Sendable {
    /// The number of the device or key.
    public var id: Int
    /// Its name.
    public var name: Text
    /// When it was last used, such as "21 November 2026, 07:25 UTC"; empty if never.
    public var seen: Text
    /// Whether the page is shown on this device.
    public var isThis: Bool

    /// Makes an entry.
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

    /// Makes a code.
    public init(code: Text, link: Text, symbol: QRSymbol?) {
      self.code = code
      self.link = link
      self.symbol = symbol
    }
  }

  /// Whether devices sign in at all.
  public var isOn = true
  /// The signed-in devices.
  public var devices: [Entry] = []
  /// The access keys.
  public var keys: [Entry] = []
  /// A new access key, shown this once.
  public var newKey: Text?
  /// A new one-time code.
  public var code: Code?

  /// Makes an empty list.
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
