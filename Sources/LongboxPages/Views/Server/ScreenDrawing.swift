// Longbox
// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
import LongboxCore

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
