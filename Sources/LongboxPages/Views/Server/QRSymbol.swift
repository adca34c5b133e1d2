// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

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
