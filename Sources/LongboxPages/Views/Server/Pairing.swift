// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// A link for pairing another device with a library.
public struct MoveOffer: Equatable, Sendable {
  /// The full address, with the host that the reader used.
  public var link: Text
  /// The address as a QR code; nil if it is too long.
  public var symbol: QRSymbol?
  /// The host, if it is a loopback name such as `127.0.0.1`, which other devices can't reach.
  public var loopback: Text?

  public init(link: Text, symbol: QRSymbol?, loopback: Text? = nil) {
    self.link = link
    self.symbol = symbol
    self.loopback = loopback
  }
}

struct MovePage: Equatable {
  let offer: MoveOffer
}

extension MovePage: Page {
  var title: Text { "Connect another device" }
  var kind: Text { "message-page" }
  var tab: Tab? { .settings }
  var back: BackLink? { .settings }

  var content: HTML {
    div(.class("message")) {
      if let loopback = offer.loopback { unreachable(loopback) }
      p {
        "Open this link on the other device, or point its camera at the square. It works once, within ten minutes."
      }
      if let symbol = offer.symbol { symbol.drawing(named: "QR code of the link") }
      p { a(.class("address"), .href(.external(offer.link))) { offer.link } }
      // A script shows what the browser can do.
      div(.class("link-actions"), Attribute("hidden")) {
        button(.class("button"), Attribute("type", "button"), Attribute("data-do", "copy")) { "Copy link" }
        button(.class("button"), Attribute("type", "button"), Attribute("data-do", "share")) { "Share link" }
      }
      p {
        "The two devices will then share one library. Keep the link to yourself: the first to open it sees "
        "your favorites and can change them."
      }
    }
  }

  private func unreachable(_ host: Text) -> HTML {
    div(.role("alert")) {
      p {
        strong { "Another device can’t reach " + host + "." }
        " On each machine that name means the machine itself."
      }
      p {
        "First let your devices in: "
        a(.href(.phone)) { "Use Longbox on your phone" }
        ". Then open Longbox under the address that you find there, and come back to this page."
      }
    }
  }
}

/// The size of both libraries, shown before pairing.
public struct PairingPreview: Equatable, Sendable {
  /// The number of favorites in this device's library.
  public var here: Int
  /// The number of favorites in the other library.
  public var there: Int

  public init(here: Int, there: Int) {
    self.here = here
    self.there = there
  }
}

/// The question whether to pair, with the consequences.
struct PairPage: Equatable {
  let code: Text
  let preview: PairingPreview
}

extension PairPage: Page {
  var title: Text { "Connect another device" }
  var kind: Text { "message-page" }
  var tab: Tab? { .settings }

  var content: HTML {
    div(.class("message")) {
      p {
        "The other device’s library has " + counted(favorites: preview.there) + "; this device’s has "
          + counted(favorites: preview.here) + "."
      }
      p {
        "Once connected, both devices share one library with all favorites, notes and read marks of the two. Nothing is "
        "removed; where both have a setting, the later one counts. From then on, a change on one device reaches the other."
      }
      p {
        "Connect only if the link is your own, or comes from someone with whom you want to share your library."
      }
      form(.action(.pair), Attribute("method", "post")) {
        hidden("code", code)
        button(.class("button action"), Attribute("type", "submit")) { "Connect" }
      }
      ul(.class("links")) { li { a(.href(.latest)) { "Don’t connect" } } }
    }
  }
}

/// The page after two devices were paired.
struct PairedPage: Equatable {
  /// The number of favorites in the shared library.
  let favorites: Int
}

extension PairedPage: Page {
  var title: Text { "Connected" }
  var kind: Text { "message-page" }
  var tab: Tab? { .settings }

  var content: HTML {
    div(.class("message empty")) {
      Drawing.boxWithHeart.html
      p(.role("status")) {
        "The two devices share one library now. It has " + counted(favorites: favorites) + "."
      }
      ul(.class("links")) {
        li { a(.href(.favorites)) { "Your favorites" } }
        li { a(.href(.resume)) { "Go on reading" } }
      }
    }
  }
}

/// Why a pairing link doesn't work, and how to get a new one.
struct PairingRejectedPage: Equatable {
  let rejection: PairingRejection
}

extension PairingRejectedPage: Page {
  var title: Text { "Not connected" }
  var kind: Text { "message-page" }
  var tab: Tab? { .settings }

  var content: HTML {
    div(.class("message empty")) {
      Drawing.questionMark.html
      p(.role("alert")) { rejection.sentence }
      if rejection != .full {
        p { "For a new link open the settings on the other device, and choose “Connect another device”." }
      }
      ul(.class("links")) { li { a(.href(.favorites)) { "Your favorites" } } }
    }
  }
}

extension PairingRejection {
  var status: Int {
    switch self {
    case .unknown: 404
    case .expired, .used: 410
    case .tooManyTries: 429
    case .full: 409
    }
  }

  var sentence: Text {
    switch self {
    case .unknown:
      "This link doesn’t work: a part of it may be missing, or the server was restarted since it was made."
    case .expired: "This link has expired: it works for ten minutes."
    case .used: "This link was used already: it works once."
    case .tooManyTries: "Too many links that don’t work were tried. Wait a minute, then open this one again."
    case .full: "The two libraries together hold more than one library can. Nothing was changed."
    }
  }
}

/// The modules of a QR code.
public struct QRSymbol: Equatable, Sendable {
  /// The number of modules per side.
  public let width: Int
  /// Whether each module is dark, row by row.
  public let modules: [Bool]

  /// Makes a symbol.
  /// - Returns: nil unless there are `width` times `width` modules.
  public init?(width: Int, modules: [Bool]) {
    guard width > 0, modules.count == width * width else { return nil }
    self.width = width
    self.modules = modules
  }

  /// The quiet zone (ISO/IEC 18004, section 5.3.8), in modules.
  private static let margin = 4

  /// The symbol as SVG with a label, black on white in any color scheme.
  func drawing(named name: Text) -> HTML {
    let side = Text(decimal: width + 2 * Self.margin)
    let ground: Text = "M0 0h" + side + "v" + side + "H0z"
    return HTML(
      element: "svg",
      [
        .class("qr"), Attribute("viewBox", "0 0 " + side + " " + side), .role("img"), .label(name),
        Attribute("shape-rendering", "crispEdges"),
      ],
      HTML(element: "path", [Attribute("fill", "#fff"), Attribute("d", ground)], HTML())
        + HTML(element: "path", [Attribute("fill", "#000"), Attribute("d", outline)], HTML())
    )
  }

  /// A bar for each run of dark modules in a row.
  private var outline: Text {
    var path: [UInt8] = []
    for row in 0..<width {
      var column = 0
      while column < width {
        let start = column
        while column < width, modules[row * width + column] { column += 1 }
        if column > start { path.append(contentsOf: Self.bar(start, row, column - start).bytes) }
        column += 1
      }
    }
    return Text(path)
  }

  private static func bar(_ column: Int, _ row: Int, _ length: Int) -> Text {
    let length = Text(decimal: length)
    return "M" + Text(decimal: column + margin) + " " + Text(decimal: row + margin) + "h" + length + "v1h-"
      + length + "z"
  }
}
