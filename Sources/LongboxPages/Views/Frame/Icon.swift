// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The icons, drawn with one stroke in a box of 24 by 24.
///
/// They are decorative. The link or button around them has the name as its label, by which scripts find it, too. Text
/// browsers read no labels, so an icon alone comes with the name as hidden text.
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
  case speech
  case chevron
  case save
  case unread
  case read
  case readOlder
  case contrast
  case offline
  case list
  case map
  case calendar
  case share
  case devices
  case `import`
  case feed
  case close

  /// The icon alone in a link or button, with its name for text browsers.
  func html(named name: Text) -> HTML { html + span(.class("aside")) { name.withoutDirectionMarks } }

  var html: HTML {
    switch self {
    case .box: Self.drawn("<path d=\"M3 8l2-4h14l2 4v12H3zM3 8h18M9 12h6\"/>")
    case .grid: Self.drawn("<path d=\"M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z\"/>")
    case .heart:
      Self.drawn(
        "<path d=\"M12 20C5 15 3 11.5 3 8.5 3 4 9.5 3 12 7.5 14.5 3 21 4 21 8.5c0 3-2 6.5-9 11.5z\"/>"
      )
    case .magnifier: Self.drawn("<path d=\"M10.5 4a6.5 6.5 0 1 0 .01 0zM15.3 15.3L21 21\"/>")
    case .sliders: Self.drawn("<path d=\"M4 7h9M17 7h3M15 4.5v5M4 17h3M11 17h9M9 14.5v5\"/>")
    case .record:
      Self.drawn("<path d=\"M12 3a9 9 0 1 0 .01 0zM12 9.5a2.5 2.5 0 1 0 .01 0zM12 6a6 6 0 0 1 6 6\"/>")
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
    case .chevron: Self.drawn("<path d=\"M6 9.5l6 5.5 6-5.5\"/>")
    case .save: Self.drawn("<path d=\"M12 4v11M7.5 11l4.5 4.5 4.5-4.5M5 20h14\"/>")
    case .unread: Self.drawn("<path d=\"M12 5.5a6.5 6.5 0 1 0 .01 0z\"/>")
    case .read: Self.drawn("<path d=\"M5 12.5l4.5 4.5L19 7\"/>")
    case .readOlder: Self.drawn("<path d=\"M3 12.5l4 4.5L15 7M12 16l1 1 8-10\"/>")
    case .contrast:
      Self.drawn("<path d=\"M12 3.5a8.5 8.5 0 1 0 .01 0zM12 3.5v17M15 4.5v15M18 6.5v11\"/>")
    case .offline:
      Self.drawn(
        """
        <path d="M4 4l16 16M8.5 8A5 5 0 0 0 7 18h10M12 6.5A5.5 5.5 0 0 1 17 11a3.5 3.5 0 0 1 3 5"/>
        """
      )
    case .list: Self.drawn("<path d=\"M4 6h16M4 12h16M4 18h16\"/>")
    case .map:
      Self.drawn(
        "<path d=\"M4 4h3v3H4zM10.5 4h3v3h-3zM17 4h3v3h-3zM4 10.5h3v3H4zM10.5 10.5h3v3h-3zM17 10.5h3v3h-3zM4 17h3v3H4zM10.5 17h3v3h-3zM17 17h3v3h-3z\"/>"
      )
    case .calendar: Self.drawn("<path d=\"M4 6h16v14H4zM4 10h16M8 3v4M16 3v4\"/>")
    case .share: Self.drawn("<path d=\"M12 15V3.5M8 7l4-3.5L16 7M6 11H5v9.5h14V11h-1\"/>")
    case .devices:
      Self.drawn(
        "<path d=\"M6 3h12a1.5 1.5 0 0 1 1.5 1.5v15A1.5 1.5 0 0 1 18 21H6a1.5 1.5 0 0 1-1.5-1.5v-15A1.5 1.5 0 0 1 6 3zM11 18h2\"/>"
      )
    case .import: Self.drawn("<path d=\"M12 3.5V15M8 11.5l4 3.5 4-3.5M6 11H5v9.5h14V11h-1\"/>")
    case .feed: Self.drawn("<path d=\"M5 11a8 8 0 0 1 8 8M5 5a14 14 0 0 1 14 14M5.5 18.5v.01\"/>")
    case .close: Self.drawn("<path d=\"M6.5 6.5l11 11M17.5 6.5l-11 11\"/>")
    case .details: Self.drawn("<path d=\"M12 3.5a8.5 8.5 0 1 0 .01 0zM12 11v5.5M12 7.5v.01\"/>")
    case .speech: Self.drawn("<path d=\"M4 5h16v11h-8l-4 4v-4H4zM8 9h8M8 12.3h5\"/>")
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
