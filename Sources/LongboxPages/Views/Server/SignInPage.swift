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

  /// Makes an offer.
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
