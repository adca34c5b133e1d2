// Longbox
// SPDX-License-Identifier: MIT

/// Converts a page's transcript to the notation of xkcd's own transcripts.
enum WikiTranscript {
  /// The lines of a section: `[A man flies.]` becomes `[[A man flies.]]`; speech stays unchanged.
  static func text(of section: WikiDocument) -> [UInt8] {
    var transcript: [UInt8] = []
    var plain = WikiPlainText(keepsSubpages: true)
    for part in section.parts { plain.add(part) }
    for line in plain.finish().split(separator: 0x0A) {
      let line = line.trimmed()
      guard !line.isEmpty else { continue }
      if let scene = scene(line) {
        let scene = withoutEditorsNotes(scene)
        guard !scene.isEmpty else { continue }
        transcript += ("[[" as StaticString).utf8Bytes
        // Nested brackets would end the scene early.
        for byte in scene {
          switch byte {
          case UInt8(ascii: "["): transcript.append(UInt8(ascii: "("))
          case UInt8(ascii: "]"): transcript.append(UInt8(ascii: ")"))
          default: transcript.append(byte)
          }
        }
        transcript += ("]]" as StaticString).utf8Bytes
      } else {
        transcript += line
      }
      transcript.append(0x0A)
    }
    return transcript
  }

  /// A scene without the sentences of the wiki's editors about their transcript itself, except those that say where
  /// the rest is.
  private static func withoutEditorsNotes(_ scene: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard mentionsTranscript(scene) else { return scene }
    var kept: [UInt8] = []
    var sentence = scene.prefix(0)
    for index in scene.indices {
      sentence = scene[sentence.startIndex...index]
      let isEnd = scene[index].isASCIISpace && endsSentence(scene[index - (index > scene.startIndex ? 1 : 0)])
      guard isEnd || index == scene.endIndex - 1 else { continue }
      let hasAddress = sentence.firstIndex(of: ("https://" as StaticString).utf8Bytes, from: 0) != nil
      if hasAddress || !mentionsTranscript(sentence) { kept += sentence }
      sentence = scene[(index + 1)..<(index + 1)]
    }
    return kept[...].trimmed()
  }

  private static func endsSentence(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || byte == UInt8(ascii: "!") || byte == UInt8(ascii: "?")
  }

  /// Whether a text has the word "transcript" or "transcripts".
  private static func mentionsTranscript(_ text: ArraySlice<UInt8>) -> Bool {
    text.split { !$0.isASCIILetter }.contains { word in
      let word = word.map { $0.lowercasedASCII }
      return word == ("transcript" as StaticString).utf8Bytes
        || word == ("transcripts" as StaticString).utf8Bytes
    }
  }

  /// The text in the brackets if they enclose the whole line, or nil.
  private static func scene(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard line.count > 2, line.first == UInt8(ascii: "["), line.last == UInt8(ascii: "]") else { return nil }
    var depth = 0
    for (offset, byte) in line.enumerated() {
      if byte == UInt8(ascii: "[") { depth += 1 }
      if byte == UInt8(ascii: "]") { depth -= 1 }
      if depth == 0, offset < line.count - 1 { return nil }
    }
    return depth == 0 ? line.dropFirst().dropLast().trimmed() : nil
  }
}
