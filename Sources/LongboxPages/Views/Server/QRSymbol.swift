// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The dark and light squares of a QR code.
public struct QRSymbol: Equatable, Sendable {
  /// Squares a side.
  public let width: Int
  /// Whether each square is dark, row by row.
  public let modules: [Bool]

  /// Makes a symbol.
  /// - Returns: nothing where there are not `width` times `width` squares.
  public init?(width: Int, modules: [Bool]) {
    guard width > 0, modules.count == width * width else { return nil }
    self.width = width
    self.modules = modules
  }

  /// The light margin that a scanner needs (ISO/IEC 18004, section 5.3.8), in squares.
  private static let margin = 4

  /// The symbol as a drawing with a name, dark on white whatever the page's colours are.
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

  /// A bar for each run of dark squares in a row.
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
