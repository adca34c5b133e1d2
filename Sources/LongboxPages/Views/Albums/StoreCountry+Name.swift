// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

extension StoreCountry {
  /// Countries with a store, by English name; others are accepted in an address.
  private static let names: [(code: Text, name: Text)] = [
    ("ar", "Argentina"), ("au", "Australia"), ("at", "Austria"), ("be", "Belgium"), ("br", "Brazil"),
    ("ca", "Canada"), ("cl", "Chile"), ("co", "Colombia"), ("cz", "Czechia"), ("dk", "Denmark"),
    ("fi", "Finland"), ("fr", "France"), ("de", "Germany"), ("gr", "Greece"), ("hu", "Hungary"),
    ("in", "India"), ("id", "Indonesia"), ("ie", "Ireland"), ("il", "Israel"), ("it", "Italy"),
    ("jp", "Japan"), ("kr", "Korea"), ("mx", "Mexico"), ("nl", "Netherlands"), ("nz", "New Zealand"),
    ("no", "Norway"), ("pl", "Poland"), ("pt", "Portugal"), ("ro", "Romania"), ("za", "South Africa"),
    ("es", "Spain"), ("se", "Sweden"), ("ch", "Switzerland"), ("tw", "Taiwan"), ("tr", "Türkiye"),
    ("ua", "Ukraine"), ("gb", "United Kingdom"), ("us", "United States"),
  ]

  /// The English name, or the country's code.
  var name: Text {
    Self.names.first { $0.code == text }?.name ?? text
  }

  /// The countries to choose from, including this one.
  var choices: [(code: Text, name: Text)] {
    let isKnown = Self.names.contains { $0.code == text }
    return isKnown ? Self.names : [(text, text)] + Self.names
  }
}
