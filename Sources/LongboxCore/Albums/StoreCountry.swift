// Longbox
// SPDX-License-Identifier: MIT

/// The country of a store; catalogue and names differ between countries.
public struct StoreCountry: Hashable, Sendable {
  /// The letters of the ISO 3166-1 alpha-2 code, in lower case.
  private let first: UInt8
  private let second: UInt8

  /// Parses two letters of either case; nil if the text is anything else.
  ///
  /// It doesn't check whether the country has a store.
  public init?(_ text: Text) {
    let letters = Array(text.bytes)
    guard letters.count == 2, letters[0].isASCIILetter, letters[1].isASCIILetter else { return nil }
    first = letters[0].lowercasedASCII
    second = letters[1].lowercasedASCII
  }

  private init(known text: StaticString) {
    let letters = text.utf8Bytes
    first = letters[0]
    second = letters[1]
  }

  /// The default country.
  public static var unitedStates: StoreCountry { StoreCountry(known: "us") }

  /// The two letters in lower case.
  public var text: Text { Text([first, second]) }
}
