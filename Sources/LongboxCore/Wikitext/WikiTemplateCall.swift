// Longbox
// SPDX-License-Identifier: MIT

/// A call of a template: its name and arguments.
struct WikiTemplateCall {
  struct Argument {
    /// The whole argument, with its name.
    let whole: ArraySlice<UInt8>
    /// The trimmed text before the first `=`; empty if there is none.
    let name: ArraySlice<UInt8>
    /// The trimmed text after it, or the whole if there is none.
    let value: ArraySlice<UInt8>

    init(_ whole: ArraySlice<UInt8>) {
      self.whole = whole
      let equals = whole.firstIndex(of: UInt8(ascii: "="))
      let name = equals.map { whole[..<$0].trimmed() } ?? []
      // An equals sign in prose or an address doesn't make a name.
      let isName = name.count <= 24 && name.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
      self.name = isName ? name : []
      value =
        isName && !name.isEmpty ? whole[((equals ?? whole.startIndex) + 1)...].trimmed() : whole.trimmed()
    }
  }

  /// The name in lower case, with spaces for underscores and without "template:".
  let name: [UInt8]
  /// What follows the first colon of the name, as in `{{#expr: 1 + 2}}`; empty if there is none.
  let argument: ArraySlice<UInt8>
  let arguments: [Argument]

  /// Parses a call.
  /// - Parameters:
  ///   - bytes: the expanded text between the braces.
  ///   - bars: the indices of the bars between arguments.
  init(_ bytes: [UInt8], bars: [Int]) {
    let head = bytes[..<(bars.first ?? bytes.count)].trimmed()
    var name = head.prefix(200).map { $0 == UInt8(ascii: "_") ? 0x20 : $0.lowercasedASCII }
    let prefix = ("template:" as StaticString).utf8Bytes
    if name.starts(with: prefix) { name.removeFirst(prefix.count) }
    self.name = name
    argument = head.firstIndex(of: UInt8(ascii: ":")).map { head[($0 + 1)...].trimmed() } ?? []
    arguments = bars.indices.map { place in
      let end = place + 1 < bars.count ? bars[place + 1] : bytes.count
      return Argument(bytes[(bars[place] + 1)..<end])
    }
  }

  func named(_ name: StaticString) -> ArraySlice<UInt8>? {
    // The last of several counts.
    arguments.last { name.isEqual(to: $0.name) }?.value
  }

  /// The argument at a position from 1, either unnamed or named with its number; empty if there is none.
  func positional(_ place: Int) -> ArraySlice<UInt8> {
    let number = Text(decimal: place).bytes
    if let named = arguments.last(where: { $0.name.elementsEqual(number) }) { return named.value }
    var count = 0
    for argument in arguments where argument.name.isEmpty {
      count += 1
      if count == place { return argument.value }
    }
    return []
  }

  /// The argument at a position, with the spaces around it if it has no name, as MediaWiki keeps them.
  func spaced(_ place: Int) -> ArraySlice<UInt8> {
    let value = positional(place)
    let whole = arguments.first { $0.value.startIndex == value.startIndex && $0.name.isEmpty }?.whole
    return value.isEmpty ? [] : whole ?? value
  }

  /// The last unnamed argument, or one with a common name for texts; empty if there is none.
  var text: ArraySlice<UInt8> {
    if let last = arguments.last(where: { $0.name.isEmpty && !$0.value.isEmpty }) { return last.value }
    for name in ["text", "1", "content", "quote", "title"] as [StaticString] {
      if let value = named(name), !value.isEmpty { return value }
    }
    return []
  }
}
