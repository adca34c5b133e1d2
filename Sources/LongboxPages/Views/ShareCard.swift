// Longbox
// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
import LongboxCore

/// What a messenger or a search engine shows of a page whose link was shared: Open Graph (ogp.me), Twitter's card, and
/// where the page can be had as oEmbed.
///
/// All addresses in it are absolute, so it is made where the address is known under which a stranger came: on a server, never
/// on a device, whose pages nobody else sees. It does not give the alt text away.
struct ShareCard {
  /// A picture that stands for a page.
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

  /// The card of a page, or nothing where the address is not known or the page has none of its own.
  init?(of page: MadePage, origin: Text) {
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
    property("og:title", title)
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
