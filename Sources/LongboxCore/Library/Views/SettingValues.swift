// Longbox
// SPDX-License-Identifier: MIT

/// Light or dark pages.
public enum Appearance: SettingValue, CaseIterable {
  /// Follows the device.
  case system
  /// Dark text on a light page.
  case light
  /// Light text on a dark page.
  case dark

  /// The word in the library.
  public var word: Text {
    switch self {
    case .system: "system"
    case .light: "light"
    case .dark: "dark"
    }
  }

  /// Decodes a word.
  public init?(word: Text) {
    guard let value = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = value
  }
}

/// What a double tap on a comic does.
public enum DoubleTap: SettingValue, CaseIterable {
  /// Adds the comic to the favourites.
  case favorite
  /// Zooms.
  case zoom

  /// The word in the library.
  public var word: Text {
    switch self {
    case .favorite: "favorite"
    case .zoom: "zoom"
    }
  }

  /// Decodes a word.
  public init?(word: Text) {
    guard let value = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = value
  }
}

/// Where a comic's alt text is shown.
public enum AltTextDisplay: SettingValue, CaseIterable {
  /// In the comic's details.
  case details
  /// Always, below the comic.
  case below
  /// Below the comic, after a delay, so that the reader can get the joke first.
  case later

  /// The word in the library.
  public var word: Text {
    switch self {
    case .details: "details"
    case .below: "below"
    case .later: "later"
    }
  }

  /// Decodes a word.
  public init?(word: Text) {
    guard let value = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = value
  }
}

extension Bool: SettingValue {
  /// The word in the library: `on` or `off`.
  public var word: Text { self ? "on" : "off" }

  /// Decodes a word.
  public init?(word: Text) {
    if word == "on" {
      self = true
    } else if word == "off" {
      self = false
    } else {
      return nil
    }
  }
}
