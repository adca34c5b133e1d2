// Longbox
// SPDX-License-Identifier: MIT

/// A run of letters or digits in a title.
struct TitlePiece {
  /// The folded letters or digits, or one of the two symbols that count as words.
  var letters: [UInt32] = []
  var isNumber = false
  /// Whether it directly follows the previous piece.
  var isGlued = false

  /// The code for `&` and `+`.
  static let and: UInt32 = 0x26
  /// The code for `#` before a number.
  static let hash: UInt32 = 0x23

  /// Splits scalars into pieces.
  ///
  /// Apostrophes join letters (`don't`), commas join digits (`10,000`), and `$` between letters is an `s`.
  static func pieces(of scalars: [UInt32]) -> [TitlePiece] {
    var pieces: [TitlePiece] = []
    var isApart = true
    for (place, scalar) in scalars.enumerated() {
      if isJoint(scalar, at: place, in: scalars) { continue }
      if let sign = sign(scalar, at: place, in: scalars) {
        pieces.append(TitlePiece(letters: [sign]))
        isApart = true
        continue
      }
      var letters: [UInt32] = []
      let isDollar =
        scalar == 0x24 && place > 0 && isLetter(place - 1, scalars) && isLetter(place + 1, scalars)
      let kind = TitleLetters.append(isDollar ? 0x73 : scalar, to: &letters)
      guard kind != .separator else {
        isApart = true
        continue
      }
      guard !letters.isEmpty else { continue }
      let isNumber = kind == .digit
      if isApart || pieces.last?.isNumber != isNumber {
        pieces.append(TitlePiece(isNumber: isNumber, isGlued: !isApart))
        isApart = false
      }
      pieces[pieces.count - 1].letters.append(contentsOf: letters)
    }
    return pieces
  }

  private static func isJoint(_ scalar: UInt32, at place: Int, in scalars: [UInt32]) -> Bool {
    switch scalar {
    case 0x27, 0x60, 0xB4, 0x2018, 0x2019, 0x2BC, 0x2032: true
    case 0x2C:
      place > 0 && isDigit(place - 1, scalars) && (1...3).allSatisfy { isDigit(place + $0, scalars) }
        && !isDigit(place + 4, scalars)
    default: false
    }
  }

  private static func sign(_ scalar: UInt32, at place: Int, in scalars: [UInt32]) -> UInt32? {
    switch scalar {
    case 0x26, 0x2B, 0xFF06: and
    case 0x23, 0x2116: isDigit(place + 1, scalars) ? hash : nil
    default: nil
    }
  }

  private static func isDigit(_ place: Int, _ scalars: [UInt32]) -> Bool {
    scalars.indices.contains(place) && (0x30...0x39).contains(scalars[place])
  }

  private static func isLetter(_ place: Int, _ scalars: [UInt32]) -> Bool {
    guard scalars.indices.contains(place) else { return false }
    var letters: [UInt32] = []
    return TitleLetters.append(scalars[place], to: &letters) == .letter
  }
}
