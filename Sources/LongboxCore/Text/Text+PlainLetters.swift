// Longbox
// SPDX-License-Identifier: MIT

extension Text {
  /// For each letter from U+00C0 to U+017F its lower-case base letter; a dot for other characters.
  private static var plainLatin: StaticString {
    """
    aaaaaaaceeeeiiiidnooooo.ouuuuytsaaaaaaaceeeeiiiidnooooo.ouuuuyty\
    aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkkllllllllllnnnnnnnnnoooooooorrrrrr\
    sssssssstttttt\
    uuuuuuuuuuuuwwyyyzzzzzzs
    """
  }

  /// The text in lower case and without Latin accents, for comparing names.
  ///
  /// Search's `Folding` covers all scripts, but is too large for the device's pages.
  package var plainLetters: [UInt8] {
    let table = Self.plainLatin.utf8Bytes
    var plain: [UInt8] = []
    var lead: UInt8 = 0
    for byte in bytes {
      if (0xC3...0xC5).contains(lead), (0x80...0xBF).contains(byte) {
        let letter = table[Int(lead - 0xC3) * 64 + Int(byte - 0x80)]
        plain.removeLast()
        if letter == UInt8(ascii: ".") {
          plain.append(lead)
          plain.append(byte)
        } else {
          plain.append(letter)
        }
      } else {
        plain.append(byte.lowercasedASCII)
      }
      lead = byte
    }
    return plain
  }
}
