// Longbox
// SPDX-License-Identifier: MIT

/// The rules by which the fields of xkcd's records become what a reader sees.
///
/// Each rule is a pure function of bytes; each oddity that it answers stands on real comics, which the tests name.
/// A change here needs a new ``DecodingRules/version``.
public enum ComicRules {
  /// The last comic whose record carries its own transcript.
  ///
  /// From 1611 on a record holds the text of an earlier comic, and after 1677 none.
  public static var lastOwnTranscript: Int { 1608 }

  /// The comic whose record holds the transcript of its successor.
  private static var transcriptOfSuccessor: Int { 581 }

  /// Whether the transcript in a comic's record is that comic's.
  public static func trustsTranscript(of number: Comic.Number) -> Bool {
    number.value <= lastOwnTranscript && number.value != transcriptOfSuccessor
  }

  /// Whether a comic is interactive on xkcd.com: its record has `extra_parts`, or it has no picture.
  public static func isInteractive(hasExtraParts: Bool, pictureAddress: Text) -> Bool {
    hasExtraParts || pictureAddress.isEmpty
  }

  /// The address of the picture, or empty where the record's address names no file (1608, 1663).
  public static func pictureAddress(_ raw: Text) -> Text {
    guard let last = raw.bytes.last, last != UInt8(ascii: "/") else { return .empty }
    return Text(raw.bytes)
  }

  /// The link, where it is an http or https address or one relative to the protocol (1506); else empty.
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
