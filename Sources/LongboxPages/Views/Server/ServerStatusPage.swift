// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// What the checks of the server found.
public struct ServerStatusOffer: Equatable, Sendable {
  /// How bad a finding is.
  public enum Level: Equatable, Sendable {
    /// Nothing needs to be done.
    case ok
    /// It should be looked at.
    case warning
    /// It doesn't work.
    case problem

    fileprivate var name: Text {
      switch self {
      case .ok: "OK"
      case .warning: "Warning"
      case .problem: "Problem"
      }
    }
  }

  /// What one check found.
  public struct Row: Equatable, Sendable {
    public var name: Text
    public var level: Level
    public var text: Text
    /// What to do, if there is something.
    public var advice: Text?

    public init(name: Text, level: Level, text: Text, advice: Text? = nil) {
      self.name = name
      self.level = level
      self.text = text
      self.advice = advice
    }
  }

  /// When it was checked, such as "21 November 2026, 07:25 UTC".
  public var checked: Text
  public var rows: [Row] = []
  /// The hooks for new comics: service and host, and what became of the last delivery.
  public var hooks: [Row] = []
  /// What came of the test of a hook that was just sent, if one was.
  public var tested: Text?

  public init(checked: Text) {
    self.checked = checked
  }
}

struct ServerStatusPage: Equatable {
  let offer: ServerStatusOffer
}

extension ServerStatusPage: SettingsSubpage {
  var title: Text { "Server" }

  @HTMLBuilder var groups: HTML {
    p(.class("hint")) {
      summary + " Checked on " + offer.checked + ". “longbox doctor” shows the same in a terminal."
    }
    p(.class("hint")) {
      "OK: it was checked, and there is nothing to do. Warning: it works, but needs your attention. Problem: it doesn’t work, or "
      "readers can lose something."
    }
    if !needs.isEmpty { group("To do", id: "to-do-title", needs) }
    group("Checks", id: "checks-title", offer.rows.filter { $0.level == .ok })
    if !offer.hooks.isEmpty { hooks }
  }

  private var hooks: HTML {
    SettingsRows.group("Hooks for new comics", id: "hooks-title") {
      if let tested = offer.tested { p(.role("status")) { tested } }
      div(.class("rows")) {
        for (place, hook) in offer.hooks.enumerated() { row(hook, number: place + 1) }
      }
    }
  }

  private func row(_ hook: ServerStatusOffer.Row, number: Int) -> HTML {
    let name = Text(decimal: number) + ". " + hook.name
    return div(.class("row")) {
      div(.class("t")) {
        span { bdi { name } }
        HTML(element: "small", [], HTML(hook.text))
      }
      form(.action(.serverStatus), Attribute("method", "post")) {
        hidden("hook", Text(decimal: number))
        button(.class("button"), Attribute("type", "submit"), .label("Send a test to " + name)) {
          "Send a test"
        }
      }
    }
  }

  /// What isn't as it should be, problems first.
  private var needs: [ServerStatusOffer.Row] {
    offer.rows.filter { $0.level == .problem } + offer.rows.filter { $0.level == .warning }
  }

  private var summary: Text {
    if needs.isEmpty { return "Everything works." }
    return needs.count == 1 ? "One thing needs a look." : Text(decimal: needs.count) + " things need a look."
  }

  private func group(_ name: StaticString, id: StaticString, _ rows: [ServerStatusOffer.Row]) -> HTML {
    SettingsRows.group(name, id: id) {
      div(.class("rows")) {
        for row in rows {
          div(.class("row")) {
            div(.class("t")) {
              span { row.name }
              HTML(element: "small", [], HTML(row.text))
              if let advice = row.advice { HTML(element: "small", [], HTML(advice)) }
            }
            span(.class("value")) { row.level.name }
          }
        }
      }
    }
  }
}
