// Longbox
// SPDX-License-Identifier: MIT

/// The rules that convert fields of xkcd's records to what a reader sees.
///
/// Each rule is a pure function of bytes; the tests name the real comics that need it. Changing a rule
/// requires a new ``DecodingRules/version``.
public enum ComicRules {
  /// The last comic whose record has its own transcript.
  ///
  /// From 1611 on a record has the transcript of an earlier comic, and after 1677 none.
  public static var lastOwnTranscript: Int { 1608 }

  /// The comic whose record has the transcript of the next comic.
  private static var transcriptOfSuccessor: Int { 581 }

  /// Whether the transcript in a comic's record belongs to that comic.
  public static func trustsTranscript(of number: Comic.Number) -> Bool {
    number.value <= lastOwnTranscript && number.value != transcriptOfSuccessor
  }

  /// Whether dark pages may invert a comic's picture.
  public static func isLineArt(_ facts: PictureFacts, of number: Comic.Number) -> Bool {
    facts.isLineArt && !mustKeepColors(of: number)
  }

  /// Whether a picture without much colour must not be inverted, because its point would be lost.
  public static func mustKeepColors(of number: Comic.Number) -> Bool {
    KnownCorrections.coloredPictures.contains(number.value)
  }

  /// Whether a comic is interactive on xkcd.com: its record has `extra_parts` or no picture.
  public static func isInteractive(hasExtraParts: Bool, pictureAddress: Text) -> Bool {
    hasExtraParts || pictureAddress.isEmpty
  }

  /// The address of the picture; empty if the record's address names no file (1608, 1663).
  public static func pictureAddress(_ raw: Text) -> Text {
    guard let last = raw.bytes.last, last != UInt8(ascii: "/") else { return .empty }
    return Text(raw.bytes)
  }

  /// The link if it is an http, https or protocol-relative address (1506), else empty.
  public static func link(_ raw: Text) -> Text {
    let bytes = raw.bytes.trimmed()
    guard bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "<") })
    else { return .empty }
    if bytes.starts(with: ("//" as StaticString).utf8Bytes), bytes.count > 2 {
      return Text(("https:" as StaticString).utf8Bytes + bytes)
    }
    let lowered = bytes.prefix(8).map { $0.lowercasedASCII }
    guard
      lowered.starts(with: ("http://" as StaticString).utf8Bytes) && bytes.count > 7
        || lowered.starts(with: ("https://" as StaticString).utf8Bytes) && bytes.count > 8
    else { return .empty }
    return Text(bytes)
  }
}
