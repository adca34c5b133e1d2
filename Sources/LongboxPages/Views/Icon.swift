// Longbox
// SPDX-License-Identifier: MIT

/// The icons, drawn with one stroke in a box of 24 by 24.
///
/// They are decorative; the link around them has the name.
enum Icon {
  case box
  case grid
  case heart
  case magnifier
  case sliders
  case record
  case first
  case previous
  case random
  case next
  case latest
  case details

  var html: HTML {
    switch self {
    case .box: Self.drawn("<path d=\"M3 8l2-4h14l2 4v12H3zM3 8h18M9 12h6\"/>")
    case .grid: Self.drawn("<path d=\"M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z\"/>")
    case .heart:
      Self.drawn(
        "<path d=\"M12 20C5 15 3 11.5 3 8.5 3 4 9.5 3 12 7.5 14.5 3 21 4 21 8.5c0 3-2 6.500-9 11.5z\"/>"
      )
    case .magnifier: Self.drawn("<path d=\"M10.5 4a6.500 6.500 0 1 0 .01 0zM15.300 15.300L21 21\"/>")
    case .sliders: Self.drawn("<path d=\"M4 7h9M17 7h3M15 4.5v5M4 17h3M11 17h9M9 14.5v5\"/>")
    case .record:
      Self.drawn("<path d=\"M12 3a9 9 0 1 0 .01 0zM12 9.500a2.500 2.500 0 1 0 .01 0zM12 6a6 6 0 0 1 6 6\"/>")
    case .first: Self.drawn("<path d=\"M6 5v14M18 5l-8 7 8 7\"/>")
    case .previous: Self.drawn("<path d=\"M15 5l-8 7 8 7\"/>")
    case .random:
      Self.drawn(
        """
        <rect x="4" y="4" width="16" height="16" rx="3"/>\
        <path stroke-width="2.6" d="M8.5 8.5v.01M15.5 8.5v.01M12 12v.01M8.5 15.5v.01M15.5 15.5v.01"/>
        """
      )
    case .next: Self.drawn("<path d=\"M9 5l8 7-8 7\"/>")
    case .latest: Self.drawn("<path d=\"M18 5v14M6 5l8 7-8 7\"/>")
    case .details: Self.drawn("<path d=\"M12 3.500a8.500 8.500 0 1 0 .01 0zM12 11v5.500M12 7.500v.01\"/>")
    }
  }

  private static func drawn(_ shapes: StaticString) -> HTML {
    var html = HTML(
      trusted: "<svg class=\"icon\" viewBox=\"0 0 24 24\" aria-hidden=\"true\" focusable=\"false\">"
    )
    html.append(HTML(trusted: shapes))
    html.append(HTML(trusted: "</svg>"))
    return html
  }
}
