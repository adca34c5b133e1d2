// Longbox
// SPDX-License-Identifier: MIT

/// Longbox's own drawings on pages that have no comic to show.
///
/// They are decorative: the text beside them says the same.
enum Drawing {
  case boxWithHeart
  /// The box, and within it an empty place between two comics.
  case boxWithGap
  /// The box, with empty space for more comics.
  case boxWithRoom
  /// The box beside a magnifier.
  case boxAndMagnifier
  /// A frame with a question mark.
  case questionMark

  var html: HTML {
    var html = HTML(
      trusted: "<svg class=\"drawing\" viewBox=\"0 0 320 180\" aria-hidden=\"true\" focusable=\"false\">"
    )
    html.append(paths)
    html.append(HTML(trusted: "</svg>"))
    return html
  }

  private var paths: HTML {
    switch self {
    case .boxWithHeart:
      Self.box
        + HTML(
          trusted: """
            <path class="mark" d="M160 132c-20-14-30-24-30-36 0-18 24-22 30-6 6-16 30-12 30 6 0 12-10 22-30 36z"/>
            """
        )
    case .boxWithGap:
      Self.box
        + HTML(
          trusted: """
            <path d="M62 66V48M74 66V46M86 66V49M98 66V45M110 66V48M122 66V46M196 66V47M208 66V45M220 66V48M232 66V46\
            M244 66V49M256 66V47"/>\
            <path class="gap mark" d="M134 66V42h50v24z"/><path d="M128 104h64M140 118h40"/>
            """
        )
    case .boxWithRoom:
      Self.box
        + HTML(
          trusted: """
            <path d="M62 66V48M74 66V46M86 66V49M98 66V45"/>\
            <path class="gap mark" d="M112 66V42h146v24z"/><path d="M128 104h64M140 118h40"/>
            """
        )
    case .boxAndMagnifier:
      HTML(
        trusted: """
          <path d="M30 62h150v92H30zM30 62l14-24h122l14 24M62 62V38M94 62V38M126 62V38M148 62V38"/>\
          <path class="mark" d="M232 62a34 34 0 1 0 .01 0zM256 122l34 34"/>
          """
      )
    case .questionMark:
      HTML(
        trusted: """
          <path d="M41 23c78-4 160-3 238-1 2 46 1 90-1 137-79 3-158 2-236 1-3-46-3-92-1-137z"/>\
          <path class="mark" d="M136 69c3-32 52-31 49 1-2 21-25 21-25 44M160 131v2"/>
          """
      )
    }
  }

  private static var box: HTML {
    HTML(trusted: "<path d=\"M30 70l22-34h216l22 34v82H30zM30 70h260M52 36v34M268 36v34\"/>")
  }
}

#if !hasFeature(Embedded)
/// The drawings in place of pictures that can't be had, which only a server sends; the scripts have the same
/// (`WebContractTests` compares them).
public enum MissingDrawing {
  /// The outlines of a torn page in a box of 112 by 84.
  public static var page: StaticString {
    "M3 6l45-3-6 17 10 11-9 18 10 12-6 20-42-2zM66 3l43 1-2 77-44 1 6-20-9-13 9-17-9-13z"
  }
  /// A record's sleeve, in place of an album's cover.
  public static var cover: StaticString {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200"><path fill="#d9d4c7" d="M0 0h200v200H0z"/>\
    <circle cx="100" cy="100" r="62" fill="none" stroke="#a39d8d" stroke-width="3"/>\
    <circle cx="100" cy="100" r="12" fill="none" stroke="#a39d8d" stroke-width="3"/></svg>
    """
  }
}
#endif
