// Longbox
// SPDX-License-Identifier: MIT

/// Converts a TeX formula to text that says the same: signs for commands, parentheses for braces around more than one
/// sign.
///
/// Full typesetting isn't worth it; about twenty pages have formulas.
enum WikiFormula {
  static func text(_ formula: ArraySlice<UInt8>) -> [UInt8] {
    var parser = Parser(formula)
    return Array(parser.group(depth: 0)[...].trimmed())
  }

  /// Raised or lowered text as signs if all exist, else after `^` or `_`.
  static func shifted(_ text: ArraySlice<UInt8>, isRaised: Bool) -> [UInt8] {
    var signs: [UInt8] = []
    for byte in text.map({ $0 == 0xA0 ? 0x20 : $0 }) {
      guard let index = shiftable.firstIndex(of: byte) else {
        let mark = isRaised ? UInt8(ascii: "^") : UInt8(ascii: "_")
        return [mark] + (isSingle(text) ? Array(text) : parenthesized(text))
      }
      signs += (isRaised ? raised : lowered)[index].utf8Bytes
    }
    return signs
  }

  private static let shiftable = ("0123456789+-=()" as StaticString).utf8Bytes
  private static let raised: [StaticString] = [
    "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹", "⁺", "⁻", "⁼", "⁽", "⁾",
  ]
  private static let lowered: [StaticString] = [
    "₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉", "₊", "₋", "₌", "₍", "₎",
  ]

  fileprivate static func parenthesized(_ text: ArraySlice<UInt8>) -> [UInt8] {
    [UInt8(ascii: "(")] + text + [UInt8(ascii: ")")]
  }

  /// Whether a text is a sign, a number or a word, and so needs no parentheses.
  fileprivate static func isSingle(_ text: ArraySlice<UInt8>) -> Bool {
    if text.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") }) { return true }
    if text.allSatisfy({ $0.isASCIILetter }) { return true }
    // One character; its continuation bytes don't count.
    return text.filter { $0 & 0xC0 != 0x80 }.count == 1
  }

  /// Reads a formula part by part.
  ///
  /// Nested braces beyond a depth are dropped.
  private struct Parser {
    private let formula: ArraySlice<UInt8>
    private var index: Int
    private static let depthLimit = 20

    init(_ formula: ArraySlice<UInt8>) {
      self.formula = formula
      index = formula.startIndex
    }

    /// The text up to the closing brace or the end.
    mutating func group(depth: Int) -> [UInt8] {
      var text: [UInt8] = []
      while index < formula.endIndex {
        let byte = formula[index]
        if byte == UInt8(ascii: "}") {
          index += 1
          if depth > 0 { return text }
          continue
        }
        readPart(depth: depth, to: &text)
      }
      return text
    }

    private mutating func readPart(depth: Int, to text: inout [UInt8]) {
      let byte = formula[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\\"): readCommand(depth: depth, to: &text)
      case UInt8(ascii: "{"):
        if depth < Parser.depthLimit { text += group(depth: depth + 1) }
      case UInt8(ascii: "^"), UInt8(ascii: "_"):
        let argument = argument(depth: depth)
        text += WikiFormula.shifted(argument[...].trimmed(), isRaised: byte == UInt8(ascii: "^"))
      case UInt8(ascii: "&"):
        // Entities stay; elsewhere `&` aligns columns in a table of formulas.
        if Entity.decode(formula, at: index - 1) != nil { text.append(byte) }
      case 0x0A, 0x20, UInt8(ascii: "~"): if text.last != 0x20 { text.append(0x20) }
      default: text.append(byte)
      }
    }

    /// The next argument: a group, a command with its arguments, or a character.
    private mutating func argument(depth: Int) -> [UInt8] {
      skipSpaces()
      guard index < formula.endIndex, formula[index] != UInt8(ascii: "}") else { return [] }
      var text: [UInt8] = []
      let start = index
      readPart(depth: depth + 1, to: &text)
      // The rest of a character of several bytes.
      while index < formula.endIndex, formula[start] >= 0x80, formula[index] & 0xC0 == 0x80 {
        text.append(formula[index])
        index += 1
      }
      return text
    }

    private mutating func skipSpaces() {
      while index < formula.endIndex, formula[index].isASCIISpace { index += 1 }
    }

    private mutating func readCommand(depth: Int, to text: inout [UInt8]) {
      let start = index
      while index < formula.endIndex, formula[index].isASCIILetter { index += 1 }
      let command = formula[start..<index]
      if command.isEmpty { return readEscape(to: &text) }
      func isOne(of names: [StaticString]) -> Bool { names.contains { $0.isEqual(to: command) } }
      guard depth < Parser.depthLimit else { return }
      if isOne(of: ["frac", "dfrac", "tfrac", "cfrac", "sfrac"]) {
        let over = argument(depth: depth)
        let under = argument(depth: depth)
        // Without a space the number before it would belong to the fraction.
        if text.last?.isASCIIDigit ?? false { text.append(0x20) }
        text += grouped(over) + [UInt8(ascii: "/")] + grouped(under)
        if index < formula.endIndex, formula[index].isASCIILetter || formula[index].isASCIIDigit {
          text.append(0x20)
        }
      } else if isOne(of: ["sqrt"]) {
        text += ("√" as StaticString).utf8Bytes + grouped(argument(depth: depth))
      } else if isOne(of: ["binom", "dbinom", "tbinom"]) {
        let over = argument(depth: depth)
        let under = argument(depth: depth)
        text += ("(" as StaticString).utf8Bytes + over + (" over " as StaticString).utf8Bytes + under
        text.append(UInt8(ascii: ")"))
      } else if isOne(of: ["begin", "end"]) {
        _ = argument(depth: depth)
        if text.last != 0x20 { text.append(0x20) }
      } else if isOne(of: ["color", "textcolor", "phantom", "hphantom", "vphantom", "label", "tag"]) {
        _ = argument(depth: depth)
      } else if isOne(of: ["quad", "qquad"]) {
        if text.last != 0x20 { text.append(0x20) }
      } else {
        WikiFormula.append(command, to: &text)
      }
    }

    private func grouped(_ text: [UInt8]) -> [UInt8] {
      let trimmed = text[...].trimmed()
      return WikiFormula.isSingle(trimmed) ? Array(trimmed) : WikiFormula.parenthesized(trimmed)
    }

    /// Reads an escape: `\%`, `\{` and similar ones are the character, `\!` is nothing, all others are spaces.
    private mutating func readEscape(to text: inout [UInt8]) {
      guard index < formula.endIndex else { return }
      let byte = formula[index]
      index += 1
      if ("%#$_{}|&" as StaticString).utf8Bytes.contains(byte) {
        text.append(byte)
      } else if byte != UInt8(ascii: "!"), text.last != 0x20 {
        text.append(0x20)
      }
    }
  }

  fileprivate static func append(_ command: ArraySlice<UInt8>, to text: inout [UInt8]) {
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
    if text.last?.isASCIILetter ?? false || text.last?.isASCIIDigit ?? false { name = [0x20] + name }
    text += name
  }

  private static let silent: [StaticString] = [
    "left", "right", "middle", "text", "mathrm", "mathbf", "mathbb", "mathit", "mathcal", "mathfrak",
    "mathop",
    "mathrel", "mathbin", "operatorname", "textrm", "textbf", "textit", "mbox", "hbox", "big", "Big", "bigg",
    "Bigg",
    "bigl", "bigr", "Bigl", "Bigr", "displaystyle", "textstyle", "scriptstyle", "scriptscriptstyle", "limits",
    "nolimits", "rm", "bf", "it", "boldsymbol", "mathsf", "mathtt", "overline", "underline", "hat", "widehat",
    "vec",
    "bar", "tilde", "widetilde", "dot", "ddot", "underbrace", "overbrace", "displaylimits", "nonumber",
    "hline",
  ]

  private static let signs: [(command: StaticString, sign: StaticString)] = [
    ("times", "×"), ("cdot", "·"), ("pm", "±"), ("infty", "∞"), ("to", "→"), ("rightarrow", "→"),
    ("leq", "≤"),
    ("le", "≤"), ("geq", "≥"), ("ge", "≥"), ("neq", "≠"), ("ne", "≠"), ("approx", "≈"), ("equiv", "≡"),
    ("sim", "~"),
    ("ldots", "…"), ("cdots", "…"), ("dots", "…"), ("partial", "∂"), ("hbar", "ħ"), ("propto", "∝"),
    ("in", "∈"),
    ("mid", "|"), ("langle", "⟨"), ("rangle", "⟩"), ("lfloor", "⌊"), ("rfloor", "⌋"), ("varepsilon", "ε"),
    ("varphi", "φ"), ("ell", "ℓ"), ("circ", "°"), ("prime", "′"), ("div", "÷"), ("implies", "⇒"),
    ("Rightarrow", "⇒"),
    ("mapsto", "↦"), ("setminus", "∖"), ("oint", "∮"), ("iint", "∬"),
  ]
}
