// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// What the page “Use Longbox on your phone” shows: first the set-up for the network, then how to connect a phone.
public enum PhoneOffer: Equatable, Sendable {
  /// The set-up, while only this machine can reach Longbox.
  case form(Form)
  /// How to connect a phone.
  case ready(Ready)

  /// The form of the set-up.
  public struct Form: Equatable, Sendable {
    /// Whether the household has a passphrase already, which stays.
    public var hasPassphrase: Bool
    /// The further names of this machine, as the person typed them.
    public var names: Text
    /// Why the last attempt failed; nil before the first.
    public var problem: Text?

    public init(hasPassphrase: Bool, names: Text, problem: Text? = nil) {
      self.hasPassphrase = hasPassphrase
      self.names = names
      self.problem = problem
    }
  }

  /// What a phone needs.
  public struct Ready: Equatable, Sendable {
    /// The address of the start page; nil if this machine is in no network.
    public var start: Text?
    /// The address as a QR code.
    public var symbol: QRSymbol?
    /// The SHA-256 of the authority's certificate, in pairs of digits; nil without an authority of our own.
    public var fingerprint: Text?
    /// The addresses of Longbox, the best first.
    public var addresses: [Text] = []
    /// Whether readers need not sign in.
    public var isOpen = false

    /// Makes a state with nothing known.
    public init() {}
  }

  var status: Int {
    if case .form(let form) = self, form.problem != nil { return 400 }
    return 200
  }
}

struct PhonePage: Equatable {
  let offer: PhoneOffer
}

extension PhonePage: SettingsSubpage {
  var title: Text { "Use Longbox on your phone" }

  @HTMLBuilder var groups: HTML {
    switch offer {
    case .form(let form): setUp(form)
    case .ready(let ready):
      adding(ready)
      if !ready.addresses.isEmpty { addresses(ready) }
      startingOver(ready)
    }
  }
}

extension PhonePage {
  private func setUp(_ form: PhoneOffer.Form) -> HTML {
    SettingsRows.group("Let your devices in", id: "setup-title") {
      if let problem = form.problem { p(.id("problem"), .role("alert")) { problem } }
      p {
        "So far, only this machine can open Longbox. This lets the phones and computers in your network in; each signs in "
        "once."
      }
      LongboxPages.form(
        .class("access setup"),
        .action(.phone),
        Attribute("method", "post")
      ) {
        if form.hasPassphrase {
          p { "Your household has a passphrase already. It stays." }
        } else {
          passphrases(hasProblem: form.problem != nil)
        }
        label(Attribute("for", "names")) { "Other names of this machine" }
        input(
          .id("names"),
          Attribute("type", "text"),
          Attribute("name", "names"),
          Attribute("value", form.names),
          Attribute("maxlength", "500"),
          Attribute("autocapitalize", "none"),
          Attribute("spellcheck", "false"),
          Attribute("aria-describedby", "names-hint")
        )
        p(.class("hint"), .id("names-hint")) {
          "Optional: a name that your router or your domain gives it, such as books.lan. Adding one later means setting up each "
          "device again."
        }
        button(.class("button action"), Attribute("type", "submit")) { "Set up" }
      }
    }
  }

  @HTMLBuilder private func passphrases(hasProblem: Bool) -> HTML {
    label(Attribute("for", "passphrase")) { "Passphrase" }
    password("passphrase", described: hasProblem ? "passphrase-hint problem" : "passphrase-hint")
    p(.class("hint"), .id("passphrase-hint")) {
      "At least 8 characters. Four random words are easy to remember and hard to guess."
    }
    label(Attribute("for", "again")) { "Repeat the passphrase" }
    password("again", described: "passphrase-hint")
  }

  private func password(_ name: Text, described hint: Text) -> HTML {
    input(
      .id(name),
      Attribute("type", "password"),
      Attribute("name", name),
      Attribute("autocomplete", "new-password"),
      Attribute("minlength", "8"),
      Attribute("maxlength", "200"),
      Attribute("required"),
      Attribute("aria-describedby", hint)
    )
  }

  private func adding(_ ready: PhoneOffer.Ready) -> HTML {
    SettingsRows.group("Add a phone", id: "add-title") {
      p(.role("status")) {
        ready.isOpen
          ? "Everyone in your network can read and change what is here, without signing in."
          : "Longbox listens on your network. Anyone with the passphrase can sign in."
      }
      if let start = ready.start {
        ol(.class("steps")) {
          li {
            p { "Point the phone’s camera at the square, or type the address." }
            if let symbol = ready.symbol { symbol.drawing(named: "QR code of the start page") }
            p { strong(.class("address")) { start } }
          }
          li {
            p { "Follow the steps that the phone shows." }
            if let fingerprint = ready.fingerprint {
              p { "If it shows the certificate’s SHA-256 fingerprint, compare it with this one:" }
              p(.class("address fingerprint")) { fingerprint }
            }
          }
          if !ready.isOpen {
            li {
              p {
                "Sign in with the passphrase, or with a one-time code from "
                a(.href(.devices)) { "Devices and access keys" }
                "."
              }
            }
          }
        }
      } else {
        p {
          "This machine has no address in a network. Connect it to your network, wait half a minute, and reload this page."
        }
      }
    }
  }

  private func addresses(_ ready: PhoneOffer.Ready) -> HTML {
    SettingsRows.group("Addresses of Longbox", id: "addresses-title") {
      ul { for address in ready.addresses { li(.class("address")) { bdi { address } } } }
      p(.class("hint")) {
        "Install from a name if it works on the phone. An address with numbers may change when the router restarts."
      }
    }
  }

  private func startingOver(_ ready: PhoneOffer.Ready) -> HTML {
    SettingsRows.group("Start over", id: "over-title") {
      ul(.class("steps")) {
        if !ready.isOpen {
          li {
            strong { "Passphrase forgotten?" }
            " Run “longbox passphrase” on this machine. All devices sign in again."
          }
          li {
            strong { "A phone was lost?" }
            " Sign it out in "
            a(.href(.devices)) { "Devices and access keys" }
            "."
          }
        }
        if ready.fingerprint != nil {
          li {
            strong { "Other names?" }
            " Stop Longbox, move the folder “tls” out of its data folder, and run “longbox setup”. All devices trust the new "
            "certificate again."
          }
        }
        li {
          strong { "Back to this machine only?" }
          " Delete longbox.yaml in the data folder, and start Longbox again."
        }
      }
    }
  }
}
