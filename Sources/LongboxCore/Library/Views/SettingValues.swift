// Longbox
// SPDX-License-Identifier: MIT

/// Light or dark pages.
public enum Appearance: SettingValue, CaseIterable {
  /// As the device is set.
  case system
  /// Ink on paper.
  case light
  /// Soft white on deep grey-blue.
  case dark

  /// The word in the library.
  public var word: Text {
    switch self {
    case .system: "system"
    case .light: "light"
    case .dark: "dark"
    }
  }

  /// Reads a word.
  public init?(word: Text) {
    guard let value = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = value
  }
}

/// What a double tap on a comic does.
public enum DoubleTap: SettingValue, CaseIterable {
  /// It makes the comic a favourite.
  case favorite
  /// It zooms.
  case zoom

  /// The word in the library.
  public var word: Text {
    switch self {
    case .favorite: "favorite"
    case .zoom: "zoom"
    }
  }

  /// Reads a word.
  public init?(word: Text) {
    guard let value = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = value
  }
}

/// Where a comic's alt text is shown.
public enum AltTextDisplay: SettingValue, CaseIterable {
  /// Among the details.
  case details
  /// Always, below the comic.
  case below
  /// Below the comic, after a pause in which the joke can be seen first.
  case later

  /// The word in the library.
  public var word: Text {
    switch self {
    case .details: "details"
    case .below: "below"
    case .later: "later"
    }
  }

  /// Reads a word.
  public init?(word: Text) {
    guard let value = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = value
  }
}

extension Bool: SettingValue {
  /// The word in the library: `on` or `off`.
  public var word: Text { self ? "on" : "off" }

  /// Reads a word.
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
