// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// A comic's details, explanation and transcript.
///
/// Scripts show them as segments of a sheet or of a panel; without scripts they are disclosures below the comic.
struct ComicDetails {
  let page: ComicPage

  var html: HTML {
    aside(.class("details"), .id("details"), .label("Details")) {
      div(.class("segments"), .role("tablist"), .label("About this comic")) {
        segment("Details", part: "about", isSelected: true)
        segment("Explanation", part: "explanation")
        if hasTranscript { segment("Transcript", part: "transcript") }
      }
      details(.class("part about")) {
        summary { "Details" }
        div(.class("part-body"), .id("part-about")) { about }
      }
      ExplanationDisclosure(comic: page.number, beginning: page.explanation ?? HTML()).html
      if hasTranscript {
        details(.class("part script")) {
          summary { "Transcript" }
          div(.class("part-body"), .id("part-transcript")) { transcript }
        }
      }
    }
  }

  private var hasTranscript: Bool { !page.transcript.isEmpty }

  private func segment(_ name: Text, part: Text, isSelected: Bool = false) -> HTML {
    button(
      .class("segment"),
      Attribute("type", "button"),
      .role("tab"),
      Attribute("aria-controls", "part-" + part),
      Attribute("aria-selected", isSelected ? "true" : "false"),
      isSelected ? .none : Attribute("tabindex", "-1")
    ) { name }
  }

  @HTMLBuilder private var about: HTML {
    if !page.alt.isEmpty, page.altDisplay == .onTap { p(.class("alt")) { bdi { page.alt } } }
    p(.class("meta")) {
      if let date = page.date { time(Attribute("datetime", date.iso8601)) { date.spelled } }
      if !page.isSample { a(.href(page.original)) { "Original on xkcd.com" } }
    }
    if !page.link.isEmpty || !page.news.isEmpty { sources }
    // Also without a note, since scripts replace it when the comic becomes a favorite.
    div(.class("own-note")) {
      if let favorite = page.favorite {
        FavoriteNote(
          favorite: favorite,
          spoken: Text(decimal: page.number.value) + " " + page.name,
          back: page.address
        ).html
      }
    }
    if !page.topics.isEmpty { topics }
    rows
    if !page.alike.isEmpty { alike }
  }

  private var topics: HTML {
    nav(.class("topics"), .label("Characters and topics")) {
      for kind in [.character, .subject] as [Topic.Kind] {
        for topic in page.topics where topic.kind == kind {
          a(.class("topic"), .href(.topic(topic.key, isUnreadOnly: false))) { bdi { topic.name } }
          " "
        }
      }
      a(.href(.topics)) { "All topics" }
    }
  }

  private var alike: HTML {
    section(.class("alike"), Attribute("aria-labelledby", "alike")) {
      h2(.id("alike")) { "More like this" }
      ul {
        for comic in page.alike {
          li { a(.href(.comic(comic.number))) { ComicLabel(comic: comic.number, name: comic.name).html } }
        }
      }
    }
  }

  private var sources: HTML {
    dl {
      if !page.link.isEmpty {
        dt { "Link" }
        dd(.class("address")) {
          a(.href(.external(page.link)), Attribute("rel", "noopener noreferrer external")) { page.link }
        }
      }
      if !page.news.isEmpty {
        dt { "News" }
        dd(.class("news")) { for run in page.news.runs { said(run) } }
      }
    }
  }

  @HTMLBuilder private func said(_ run: News.Run) -> HTML {
    if run.address.isEmpty {
      run.words
    } else if run.address.bytes.first == UInt8(ascii: "/") {
      a(.href(.local(run.address))) { run.words }
    } else {
      a(.href(.external(run.address)), Attribute("rel", "noopener noreferrer external")) { run.words }
    }
  }

  private var rows: HTML {
    ul(.class("rows marks"), .role("list")) {
      savePicture
      largerVersion
      if page.isRemembered {
        let name: Text = page.isRead ? "Mark as unread" : "Mark as read"
        row(.read, isOn: !page.isRead, page.isRead ? .unread : .read, name)
      }
      row(.readOlder, isOn: nil, .readOlder, "Mark this and older as read")
      if page.isRemembered {
        li {
          a(.class("row"), .href(.randomUnread), Attribute("rel", "nofollow")) {
            Icon.random.html
            "Random unread"
          }
        }
      }
      if case .known = page.picture, page.site.shows(page.picture) {
        li(.class("in-dark")) {
          let name: Text = page.isShownAsDrawn ? "Adapt to the dark" : "Show as drawn"
          edit(.drawn, isOn: !page.isShownAsDrawn, .contrast, name)
        }
      }
      // For a device with a mouse, so probably with a keyboard; a script shows the list.
      li(.class("to-keys")) {
        button(.class("row"), Attribute("type", "button"), Attribute("aria-keyshortcuts", "?")) {
          "Keyboard shortcuts"
          HTML(element: "kbd", [Attribute("aria-hidden", "true")], HTML("?" as Text))
        }
      }
    }
  }

  private func row(_ address: EditAddress, isOn: Bool?, _ icon: Icon, _ name: Text) -> HTML {
    li { edit(address, isOn: isOn, icon, name) }
  }

  private func edit(_ address: EditAddress, isOn: Bool?, _ icon: Icon, _ name: Text) -> HTML {
    EditForm(address: address, comic: page.number, isOn: isOn, back: page.address.address)
      .html(.class("row")) {
        icon.html
        name
      }
  }

  @HTMLBuilder private var savePicture: HTML {
    if case .known(let facts) = page.picture, page.site.shows(page.picture) {
      let start: Text = page.isSample ? "longbox-sample-" : "xkcd-"
      li {
        a(
          .class("row"),
          .href(.picture(page.number, doubleSize: false, version: facts.versionText)),
          Attribute("download", start + Text(decimal: page.number.value) + facts.format.ending)
        ) {
          Icon.save.html
          "Save picture"
        }
      }
    }
  }

  /// The larger version, which scripts show in place of the picture; one that Longbox doesn't keep is on xkcd.com.
  @HTMLBuilder private var largerVersion: HTML {
    if case .known(let facts) = page.picture, page.site.shows(page.picture),
      let version = LargerVersion(page.link, of: page.number), facts.larger != .absent
    {
      if version == .document {
        elsewhere("Larger version on xkcd.com, a document")
      } else if facts.larger == .tooLarge {
        elsewhere("Larger version on xkcd.com, with more pixels than Longbox keeps")
      } else if page.site.isStaticCopy {
        elsewhere("Larger version on xkcd.com")
      } else {
        li {
          a(.class("row larger"), .href(.largerPicture(page.number, version: facts.versionText))) {
            Icon.magnifier.html
            "Larger version"
          }
        }
      }
    }
  }

  private func elsewhere(_ name: Text) -> HTML {
    li {
      a(.class("row"), .href(.external(page.link)), Attribute("rel", "noopener noreferrer external")) {
        Icon.magnifier.html
        name
      }
    }
  }

  @HTMLBuilder private var transcript: HTML {
    div(.id("transcript"), .class("transcript")) {
      for line in page.transcript { line.html }
    }
    if !ComicRules.trustsTranscript(of: page.number), !page.isSample {
      p(.class("hint")) {
        "Transcript from "
        a(.href(.explainXkcd(page.number))) { "explain xkcd" }
        ", "
        a(.href(.explainLicence), Attribute("rel", "license")) { "CC BY-SA 3.0" }
      }
    }
  }
}

extension PictureFacts.Format {
  fileprivate var ending: Text {
    switch self {
    case .png: ".png"
    case .jpeg: ".jpg"
    case .gif: ".gif"
    }
  }
}

/// A line of a transcript, parsed by xkcd's notation.
enum TranscriptLine: Equatable {
  /// A description: `[[A man flies.]]`.
  case scene(Text)
  /// Speech: `Man: How?`.
  case speech(speaker: Text, words: Text)
  /// A sound: `<<BOOM>>`.
  case sound(Text)
  /// Any other line.
  case plain(Text)

  /// The maximum length of a speaker's name in bytes; a later colon belongs to the sentence.
  private static let longestSpeaker = 40

  /// The nonempty lines of a transcript.
  static func lines(of transcript: Text) -> [TranscriptLine] {
    transcript.bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let line = line.trimmed()
      return line.isEmpty ? nil : TranscriptLine(line)
    }
  }

  private init(_ line: ArraySlice<UInt8>) {
    if let inside = Self.inside(line, open: UInt8(ascii: "["), close: UInt8(ascii: "]")) {
      self = .scene(inside)
    } else if let inside = Self.inside(line, open: UInt8(ascii: "<"), close: UInt8(ascii: ">")) {
      self = .sound(inside)
    } else if let inside = Self.inside(line, open: UInt8(ascii: "("), close: UInt8(ascii: ")")) {
      self = .plain(inside)
    } else if let colon = line.prefix(Self.longestSpeaker).firstIndex(of: UInt8(ascii: ":")),
      colon > line.startIndex,
      !line[..<colon].contains(where: {
        $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "\"")
      }),
      colon + 1 < line.endIndex, line[colon + 1].isASCIISpace
    {
      self = .speech(speaker: Text(line[..<colon]), words: Text(line[(colon + 1)...].trimmed()))
    } else {
      self = .plain(Text(line))
    }
  }

  /// The text in double brackets, if they enclose the whole line.
  private static func inside(_ line: ArraySlice<UInt8>, open: UInt8, close: UInt8) -> Text? {
    guard line.count > 4, line.prefix(2).allSatisfy({ $0 == open }),
      line.suffix(2).allSatisfy({ $0 == close })
    else { return nil }
    let inside = line.dropFirst(2).dropLast(2)
    guard !inside.contains(open) || !inside.contains(close) else { return nil }
    return Text(inside.trimmed())
  }

  @HTMLBuilder var html: HTML {
    switch self {
    case .scene(let text): p(.class("scene")) { text }
    case .speech(let speaker, let words):
      p(.class("speech")) {
        strong { speaker + ":" }
        " "
        words
      }
    case .sound(let text): p(.class("sound")) { text }
    case .plain(let text): p { text }
    }
  }
}

/// The note of a favorite, which opens a form.
struct FavoriteNote {
  let favorite: Favorite
  /// The comic's number and title.
  let spoken: Text
  /// The page to return to.
  let back: Link

  var html: HTML {
    let form = EditForm(address: .note, comic: favorite.comic, back: back.address)
    let hint = "note-" + Text(decimal: favorite.comic.value)
    return details(.class(favorite.note.isEmpty ? "note-of none" : "note-of")) {
      summary {
        if favorite.note.isEmpty { "Add a note" } else { span { favorite.note } }
      }
      LongboxPages.form(.class("edit"), .action(.local(form.address.path)), Attribute("method", "post")) {
        form.fields
        textarea(
          Attribute("name", "note"),
          Attribute("maxlength", Text(decimal: LibraryLimits.noteCharacters)),
          Attribute("rows", 3),
          .label("Note on #" + spoken),
          Attribute("aria-describedby", hint)
        ) { favorite.note }
        p(.class("hint"), .id(hint)) { "If two devices change a note offline, the later change stays." }
        button(.class("button action"), Attribute("type", "submit")) { "Save note" }
      }
    }
  }
}
