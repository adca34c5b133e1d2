// Longbox
// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
public import LongboxCore

/// What a frame on another site's page shows: a comic that opens in Longbox, or a sentence.
///
/// It fills a frame of any size, is light or dark as the device is, and has no scripts. Only the server makes it.
public struct EmbeddedPage {
  private enum Content {
    case comic(ComicPage, key: Text)
    case message(Text)
  }

  private let content: Content

  /// Makes the page of a comic.
  /// - Parameters:
  ///   - comic: the comic.
  ///   - archive: the archive that has it.
  ///   - key: the access key that the picture's address needs; empty for none.
  public init(_ comic: ArchivedComic, in archive: Archive, key: Text) {
    content = .comic(ComicPage(comic, in: archive), key: key)
  }

  /// Makes a page that says why there is no comic.
  public init(message: Text) {
    content = .message(message)
  }

  /// The style sheet, which is in the page; so the policy of a response has its hash.
  public static var style: StaticString {
    """
    :root{color-scheme:light dark;background:#fff;color:#3d3a35;font:13px/1.4 system-ui,sans-serif}\
    html,body{height:100%;margin:0}\
    a{box-sizing:border-box;display:flex;flex-direction:column;height:100%;color:inherit;text-decoration:none}\
    a:focus-visible{outline:2px solid;outline-offset:-2px}\
    img{flex:1;width:100%;min-height:0;object-fit:scale-down}\
    p{margin:auto;padding:.5em 1em;text-align:center}\
    img+p{margin:0;padding:.2em .6em;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}\
    @media(max-height:7em){img+p{font-size:9px;line-height:1.1;padding:0}}\
    @media(prefers-color-scheme:dark){\
    :root{background:#1b1f27;color:#d6d2c8}\
    img{filter:brightness(.85)}\
    .line-art{filter:invert(1) hue-rotate(180deg) brightness(.88);mix-blend-mode:screen}}
    """
  }

  /// The document as UTF-8, with the base path before the paths of this site.
  public func bytes(below basePath: Text) -> [UInt8] {
    var document = HTML(trusted: "<!doctype html>")
    document.append(
      html(Attribute("lang", "en")) {
        head {
          meta(Attribute("charset", "utf-8"))
          meta(Attribute("name", "viewport"), Attribute("content", "width=device-width, initial-scale=1"))
          LongboxPages.title { title.withoutDirectionMarks }
          HTML(element: "style", [], HTML(trusted: Self.style))
        }
        body { parts }
      }
    )
    return document.bytes(below: basePath)
  }

  private var title: Text {
    switch content {
    case .comic(let page, _): page.title
    case .message: "Longbox"
    }
  }

  @HTMLBuilder private var parts: HTML {
    switch content {
    case .message(let sentence): p { sentence }
    case .comic(let page, let key):
      a(
        .href(.comic(page.number)),
        Attribute("target", "_blank"),
        Attribute("rel", "noopener"),
        .title(page.alt)
      ) {
        switch page.picture {
        case .known(let facts): picture(of: page, facts, key)
        case .unknown: picture(of: page, nil, key)
        case .none, .wrong: p { "This comic only works on xkcd.com." }
        }
        p { page.title.withoutDirectionMarks + " · " + credit(of: page) }
      }
    }
  }

  private func credit(of page: ComicPage) -> Text {
    page.isSample ? "a sample drawn for Longbox" : "xkcd by Randall Munroe, CC BY-NC 2.5"
  }

  private func picture(of page: ComicPage, _ facts: PictureFacts?, _ key: Text) -> HTML {
    func address(doubleSize: Bool) -> Link {
      let version = facts?.versionText ?? .empty
      let plain = Link.picture(page.number, doubleSize: doubleSize, version: version).address
      return key.isEmpty ? .external(plain) : .external(plain + (version.isEmpty ? "?key=" : "&key=") + key)
    }
    var attributes: [Attribute] = [.src(address(doubleSize: false)), .alt(page.pictureName)]
    if let facts {
      if ComicRules.isLineArt(facts, of: page.number) { attributes.append(.class("line-art")) }
      if facts.doubleSize == .present {
        attributes.append(.srcset(address(doubleSize: false), address(doubleSize: true)))
      }
      attributes.append(Attribute("width", facts.width))
      attributes.append(Attribute("height", facts.height))
    }
    return HTML(void: "img", attributes)
  }
}
#endif
