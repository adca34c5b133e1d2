// Longbox
// SPDX-License-Identifier: MIT

/// Converts a TeX formula to approximate text: symbols for the most common commands, no braces.
///
/// Full typesetting isn't worth it; about twenty pages have formulas.
enum WikiFormula {
  static func text(_ formula: ArraySlice<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(formula.count)
    var index = formula.startIndex
    /// The brace depths of fraction parts that are longer than one character.
    var fractions: [Int] = []
    var depth = 0
    while index < formula.endIndex {
      let byte = formula[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\\"):
        let start = index
        while index < formula.endIndex, formula[index].isASCIILetter { index += 1 }
        let command = formula[start..<index]
        if command.isEmpty {
          appendEscaped(formula, &index, to: &text)
        } else if isFraction(command) {
          fractions.append(depth)
        } else {
          append(command, to: &text)
        }
      case UInt8(ascii: "{"):
        if fractions.last == depth { text.append(UInt8(ascii: "(")) }
        depth += 1
      case UInt8(ascii: "}"):
        depth = max(0, depth - 1)
        guard fractions.last == depth else { continue }
        text.append(UInt8(ascii: ")"))
        if index < formula.endIndex, formula[index] == UInt8(ascii: "{") {
          text.append(UInt8(ascii: "/"))
        } else {
          fractions.removeLast()
        }
      case UInt8(ascii: "&"):
        // Entities stay; elsewhere `&` aligns columns in a table of formulas.
        if Entity.decode(formula, at: index - 1) != nil { text.append(byte) }
      case 0x0A, 0x20, UInt8(ascii: "~"): if text.last != 0x20 { text.append(0x20) }
      default: text.append(byte)
      }
    }
    return Array(text[...].trimmed())
  }

  private static func isFraction(_ command: ArraySlice<UInt8>) -> Bool {
    (["frac", "dfrac", "tfrac", "cfrac"] as [StaticString]).contains { $0.isEqual(to: command) }
  }

  /// Converts an escape: `\%`, `\#`, `\$` and `\_` are the character, `\!` is nothing, all others are spaces.
  private static func appendEscaped(_ formula: ArraySlice<UInt8>, _ index: inout Int, to text: inout [UInt8])
  {
    guard index < formula.endIndex else { return }
    let byte = formula[index]
    index += 1
    switch byte {
    case UInt8(ascii: "%"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "_"): text.append(byte)
    case UInt8(ascii: "!"): break
    default: if text.last != 0x20 { text.append(0x20) }
    }
  }

  private static func append(_ command: ArraySlice<UInt8>, to text: inout [UInt8]) {
    if let sign = signs.first(where: { $0.command.isEqual(to: command) })?.sign {
      text += sign.utf8Bytes
      return
    }
    for name in silent where name.isEqual(to: command) { return }
    var name = Text(command).bytes
    if let scalar = Entity.named(name) {
      text += UTF8.encode(scalar).map(Array.init) ?? []
      return
    }
    // `\sin`, `\log` and other commands that read as their names.
    if text.last?.isASCIILetter ?? false { name = [0x20] + name }
    text += name
  }

  private static let silent: [StaticString] = [
    "left", "right", "text", "mathrm", "mathbf", "mathbb", "mathit", "mathcal", "operatorname", "textrm",
    "textbf",
    "big", "Big", "bigg", "Bigg", "displaystyle", "begin", "end", "limits", "rm", "bf", "it", "quad", "qquad",
    "boldsymbol", "mathsf", "mathtt", "overline", "hat", "vec", "bar", "tilde", "dot", "ddot", "underbrace",
    "color",
  ]

  private static let signs: [(command: StaticString, sign: StaticString)] = [
    ("times", "×"), ("cdot", "·"), ("pm", "±"), ("infty", "∞"), ("sqrt", "√"), ("to", "→"),
    ("rightarrow", "→"),
    ("leq", "≤"), ("le", "≤"), ("geq", "≥"), ("ge", "≥"), ("neq", "≠"), ("ne", "≠"), ("approx", "≈"),
    ("equiv", "≡"), ("sim", "~"), ("ldots", "…"), ("cdots", "…"), ("dots", "…"), ("partial", "∂"),
    ("hbar", "ħ"),
    ("propto", "∝"), ("in", "∈"), ("mid", "|"), ("langle", "⟨"), ("rangle", "⟩"), ("lfloor", "⌊"),
    ("rfloor", "⌋"), ("varepsilon", "ε"), ("varphi", "φ"), ("ell", "ℓ"), ("circ", "°"), ("prime", "′"),
    ("div", "÷"),
    ("implies", "⇒"), ("Rightarrow", "⇒"), ("mapsto", "↦"), ("setminus", "∖"), ("oint", "∮"), ("iint", "∬"),
  ]
}
