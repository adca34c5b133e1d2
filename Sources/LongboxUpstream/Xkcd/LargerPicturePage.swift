// Longbox
// SPDX-License-Identifier: MIT

import CLibXML
import LongboxCore

/// Finds the picture on a page of xkcd.com that shows the larger version of a comic.
///
/// Such a page is little more than the picture, in a link back to the comic. libxml2 parses and repairs it.
struct LargerPicturePage {
  /// An `img` with its address and the area that it states, or 0.
  private struct Image {
    var address: String
    var area: Int
  }

  /// The most images that are looked at.
  private static let mostImages = 100

  private var images: [Image] = []

  /// The address of the largest picture on a page by its attributes, else of the first; nil if there is none.
  /// - Parameters:
  ///   - html: the page.
  ///   - base: its address at xkcd.com, for relative ones.
  static func picture(in html: [UInt8], at base: Text) -> Text? {
    guard !html.isEmpty, NewsHTML.isReady, let base = WebAddress(base.description) else { return nil }
    let options =
      HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
      | HTML_PARSE_NONET.rawValue
    let document = html.withUnsafeBytes { bytes in
      htmlReadMemory(
        bytes.bindMemory(to: CChar.self).baseAddress,
        Int32(bytes.count),
        nil,
        "UTF-8",
        Int32(options)
      )
    }
    guard let document else { return nil }
    defer { xmlFreeDoc(document) }
    var page = LargerPicturePage()
    page.read(xmlDocGetRootElement(document))
    var largest: (address: Text, area: Int)?
    for image in page.images {
      guard let address = base.resolving(image.address), Self.isOfComic(address) else { continue }
      if image.area > largest?.area ?? -1 { largest = (Text(string: address.description), image.area) }
    }
    return largest?.address
  }

  /// Whether an address is that of a picture of xkcd, and not of the site's logo or buttons.
  private static func isOfComic(_ address: WebAddress) -> Bool {
    let isPicture = LargerVersion(Text(string: address.description), of: .first) == .picture
    return isPicture && !address.target.hasPrefix("/s/") && !address.target.hasPrefix("/static/")
  }

  /// Reads sibling nodes with their content.
  ///
  /// libxml2 limits nesting to 256 levels.
  private mutating func read(_ first: xmlNodePtr?) {
    var next = first
    while let node = next?.pointee {
      next = node.next
      guard node.type == XML_ELEMENT_NODE, images.count < Self.mostImages else { continue }
      if node.name.map({ String(cString: $0) }) == "img",
        let address = NewsHTML.attribute("src", of: node)?.trimmed, !address.isEmpty
      {
        let sides = ["width", "height"].map { Int(NewsHTML.attribute($0, of: node) ?? "") ?? 0 }
        let area = sides.allSatisfy { (1...100_000).contains($0) } ? sides[0] * sides[1] : 0
        images.append(Image(address: address, area: area))
      }
      read(node.children)
    }
  }
}

extension String {
  fileprivate var trimmed: String { String(drop { $0.isWhitespace }.prefix { !$0.isWhitespace }) }
}
