// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// Licenses, and what this server stores.
struct AboutPage: Equatable {
  let count: Int
  let isSampleBox: Bool
  let context: PageContext

  init(archive: Archive, context: PageContext) {
    count = archive.count
    isSampleBox = archive.isSampleBox
    self.context = context
  }
}

extension AboutPage: Page {
  var title: Text { "About" }
  var kind: Text { "about-page" }
  var tab: Tab? { .settings }
  var back: BackLink? { .settings }
  var canonical: Link? { .about }

  var heading: HTML {
    h1 { "About Longbox" }
  }

  var content: HTML {
    div(.class("prose")) {
      p {
        if context.site.isStaticCopy {
          "Longbox is a reader for the comic xkcd that works offline. This is a copy that somebody published. It has "
          "all comics up to the day of publication. Newer ones appear when it is published again. What you read, your favorites and your settings stay "
          "in this browser."
        } else {
          "Longbox is a reader for the comic xkcd that runs on your own machine. It keeps what it has read, so that it works "
          "when xkcd.com can’t be reached."
        }
      }
      section(Attribute("aria-labelledby", "licences")) {
        h2(.id("licences")) { "Licences" }
        p {
          "The comics, with their titles, alt texts and transcripts, are "
          strong { "xkcd by Randall Munroe" }
          ", from "
          a(.href(.external("https://xkcd.com/"))) { "xkcd.com" }
          ", under the "
          a(.href(.xkcdLicence), Attribute("rel", "license")) {
            "Creative Commons Attribution-NonCommercial 2.5 License"
          }
          " (CC BY-NC 2.5). You may copy and share them, with attribution, but not sell them. Longbox is not connected with xkcd."
        }
        p {
          "Explanations, and transcripts from comic 1609 on, are by the readers of "
          a(.href(.external("https://www.explainxkcd.com/"))) { "explain xkcd" }
          ", under the "
          a(.href(.explainLicence), Attribute("rel", "license")) {
            "Creative Commons Attribution-ShareAlike 3.0 License"
          }
          " (CC BY-SA 3.0)."
        }
        p { "Longbox itself, its sample box and its drawings are free software under the MIT licence." }
        p {
          "The lettering of headings is cut from "
          em { "Humor Sans" }
          " by Michael Ciuffo, under the "
          a(.href(.asset("lettering-licence.txt", version: context.assetVersion))) {
            "SIL Open Font License 1.1"
          }
          "."
        }
        software
        if !context.site.isStaticCopy {
          p {
            "Programs can read this server’s data as "
            a(.href(.api)) { "JSON" }
            " or as "
            a(.href(.feeds)) { "feeds" }
            "."
          }
        }
      }
      state
    }
  }
}

extension AboutPage {
  private static let packages: [(name: StaticString, licence: StaticString)] = [
    (
      "Swift, SwiftNIO, Swift Crypto, AsyncHTTPClient, Service Lifecycle and the other packages of the Swift project",
      "Apache-2.0"
    ),
    ("Hummingbird", "Apache-2.0"),
    ("GRDB and Yams", "MIT"),
    ("SQLite", "public domain"),
    ("libvips", "LGPL-2.1-or-later"),
    ("libseccomp", "LGPL-2.1-only"),
    ("libxml2", "MIT"),
    ("zlib", "Zlib"),
  ]

  @HTMLBuilder private var software: HTML {
    p { "It is built with:" }
    ul {
      for package in Self.packages {
        li {
          Text(stringLiteral: package.name)
          ", "
          Text(stringLiteral: package.licence)
        }
      }
    }
  }

  private var state: HTML {
    section(Attribute("aria-labelledby", "state")) {
      h2(.id("state")) { context.site.isStaticCopy ? "This copy" : "This server" }
      dl {
        dt { "Version" }
        dd { context.version }
        dt { isSampleBox ? "Samples" : "Comics" }
        dd { Text(grouped: count) }
        if let progress = context.progress {
          dt { "Stored" }
          dd {
            counted(progress.texts, "text", "texts")
            " and "
            counted(progress.pictures, "picture", "pictures")
            " of " + Text(grouped: progress.total) + ", "
            counted(progress.explanations, "explanation", "explanations")
          }
        }
        if context.isOpen {
          dt { "Access" }
          dd { "open: everybody in this network can read and change what is here" }
        }
        if let source {
          dt { "xkcd.com" }
          dd { source }
        }
      }
    }
  }

  private var source: Text? {
    switch context.source {
    case .unknown: nil
    case .reachable: "answers"
    case .down(let since): "has not answered since " + since
    }
  }
}
