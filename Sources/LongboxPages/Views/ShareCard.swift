// Longbox
// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
import LongboxCore

/// The metadata of a shared link: Open Graph (ogp.me), Twitter card, and the oEmbed address.
///
/// Its addresses are absolute, so only a server with a known public address makes it. It omits the alt text.
struct ShareCard {
  struct Picture: Equatable {
    var link: Link
    var width: Int
    var height: Int
    var name: Text
  }

  /// Scheme, host and port, such as `https://comics.example`.
  let origin: Text
  let address: Text
  let title: Text
  let abstract: Text
  let picture: Picture?

  /// Makes the card of a page; nil if the server's or the page's address is unknown.
  init?(of page: AnyPage, origin: Text) {
    guard !origin.isEmpty, let canonical = page.canonical else { return nil }
    self.origin = origin
    address = origin + canonical.address
    title = page.title
    abstract = page.abstract
    picture = page.sharedPicture
  }

  @HTMLBuilder var html: HTML {
    property("og:site_name", "Longbox")
    property("og:type", picture == nil ? "website" : "article")
    property("og:title", title.withoutDirectionMarks)
    property("og:url", address)
    if !abstract.isEmpty { property("og:description", abstract) }
    if let picture {
      property("og:image", origin + picture.link.address)
      property("og:image:width", Text(decimal: picture.width))
      property("og:image:height", Text(decimal: picture.height))
      property("og:image:alt", picture.name)
      meta(Attribute("name", "twitter:card"), Attribute("content", "summary_large_image"))
      link(
        Attribute("rel", "alternate"),
        Attribute("type", "application/json+oembed"),
        .href(.external(origin + Link.embedding(of: address).address)),
        .title(title)
      )
    }
  }

  private func property(_ name: StaticString, _ content: Text) -> HTML {
    meta(Attribute("property", name), Attribute("content", content))
  }
}
#endif
