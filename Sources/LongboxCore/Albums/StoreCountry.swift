// Longbox
// SPDX-License-Identifier: MIT

/// The country whose store is asked: what is sold, and under which name, differs from one to the next.
public struct StoreCountry: Hashable, Sendable {
  /// The first of the two letters of ISO 3166-1, in lower case.
  private let first: UInt8
  /// The second.
  private let second: UInt8

  /// Reads two letters of either case, or nothing where the text is anything else.
  ///
  /// Whether there is a store in the country only the store knows.
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

  /// The country that is asked unless somebody says otherwise.
  public static var unitedStates: StoreCountry { StoreCountry(known: "us") }

  /// The two letters in lower case.
  public var text: Text { Text([first, second]) }
}
