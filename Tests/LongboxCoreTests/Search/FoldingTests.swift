// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import LongboxCore

struct FoldingTests {
  /// What people type for letters that Unicode does not decompose; make-folding.py has the same list.
  private static let typed: [String: String] = [
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ł": "l", "ŋ": "n",
    "þ": "th", "ŧ": "t", "ς": "σ",
  ]

  /// The folding by the Unicode data of Swift and Foundation.
  private static func reference(_ scalar: Unicode.Scalar) -> String {
    let decomposed = String(scalar).decomposedStringWithCompatibilityMapping
    let lowered = decomposed.unicodeScalars.map(\.properties.lowercaseMapping).joined()
    let kept = lowered.decomposedStringWithCompatibilityMapping.unicodeScalars.filter { scalar in
      let combining = scalar.properties.canonicalCombiningClass.rawValue
      return (combining == 0 || combining == 9)
        && (scalar.properties.generalCategory != .format || scalar == "\u{200B}")
    }
    return kept.map { typed[String($0)] ?? String($0) }.joined()
  }

  private static func folded(_ scalar: Unicode.Scalar) -> String {
    var scalars = String.UnicodeScalarView()
    Folding.fold(scalar.value) { value in Unicode.Scalar(value).map { scalars.append($0) } }
    return String(scalars)
  }

  /// Whether the table's Unicode version has the scalar.
  private static func isKnown(_ scalar: Unicode.Scalar) -> Bool {
    guard let age = scalar.properties.age else { return false }
    return age.major <= 14
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
      true
    default: false
    }
  }

  @Test(arguments: [0..<0x2190, 0x2460..<0x2500, 0xFB00..<0xFB07, 0xFF01..<0xFFF0] as [Range<UInt32>])
  func `matches the standard library`(block: Range<UInt32>) {
    for scalar in block.compactMap(Unicode.Scalar.init) where Self.isKnown(scalar) {
      let reference = Self.reference(scalar)
      // A fraction would split into words, and a number in parentheses into four scalars: both stay.
      let partsWord = Set(reference.unicodeScalars.map(Self.isWord)).count > 1
      let expected = partsWord || reference.unicodeScalars.count > 3 ? String(scalar) : reference
      #expect(
        Self.folded(scalar).unicodeScalars.elementsEqual(expected.unicodeScalars),
        "U+\(String(scalar.value, radix: 16))"
      )
    }
  }

  @Test func `separates words as the standard library does`() {
    for scalar in (0x80..<0x2190 as Range<UInt32>).compactMap(Unicode.Scalar.init)
    where Self.isKnown(scalar) && Array(Self.folded(scalar).unicodeScalars) == [scalar] {
      #expect(
        (Folding.role(of: scalar.value) == .part) == Self.isWord(scalar),
        "U+\(String(scalar.value, radix: 16))"
      )
    }
  }

  @Test(arguments: ["中", "한", "ж", "😀", "\u{10FFFF}"] as [Unicode.Scalar])
  func `changes nothing that it has no rule for`(scalar: Unicode.Scalar) {
    #expect(Self.folded(scalar) == String(scalar))
  }
}
