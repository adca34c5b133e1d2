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
}

/// How comics look on dark pages.
public enum DarkPictures: SettingValue, CaseIterable {
  /// Line art is inverted, and comics in color are dimmed.
  case invert
  /// All comics are dimmed.
  case dim
  /// All comics are shown as they were drawn.
  case asDrawn

  /// The word in the library.
  public var word: Text {
    switch self {
    case .invert: "invert"
    case .dim: "dim"
    case .asDrawn: "drawn"
    }
  }
}

/// How comics wider than the screen are shown at first.
public enum WideComics: SettingValue, CaseIterable {
  /// As wide as the screen.
  case whole
  /// As large as they were drawn; they scroll sideways.
  case readable

  /// The word in the library.
  public var word: Text {
    switch self {
    case .whole: "whole"
    case .readable: "readable"
    }
  }
}

/// What a double tap on a comic does.
public enum DoubleTap: SettingValue, CaseIterable {
  /// Adds the comic to the favorites.
  case favorite
  /// Zooms.
  case zoom
  /// Nothing, so that a single tap acts at once.
  case nothing

  /// The word in the library.
  public var word: Text {
    switch self {
    case .favorite: "favorite"
    case .zoom: "zoom"
    case .nothing: "nothing"
    }
  }
}

/// When a comic's alt text is shown.
public enum AltTextDisplay: SettingValue, CaseIterable {
  /// As a caption, once the reader taps the comic.
  case onTap
  /// Always, below the comic.
  case always

  /// The word in the library.
  public var word: Text {
    switch self {
    case .onTap: "tap"
    case .always: "always"
    }
  }

  /// Decodes a word; earlier versions wrote `below` for always, and `later` for always after a pause.
  public init?(word: Text) {
    if word == "tap" {
      self = .onTap
    } else if word == "always" || word == "below" || word == "later" {
      self = .always
    } else {
      return nil
    }
  }
}

/// The comic with which Longbox opens.
public enum OpeningComic: SettingValue, CaseIterable {
  /// The latest, or where the reader was if that is not long ago.
  case latest
  /// Where the reader was.
  case lastViewed
  /// A random one.
  case random

  /// The word in the library.
  public var word: Text {
    switch self {
    case .latest: "latest"
    case .lastViewed: "continue"
    case .random: "random"
    }
  }
}

/// The size of alt texts, explanations and transcripts.
public enum TextSize: SettingValue, CaseIterable {
  /// Smaller than designed.
  case small
  /// As designed.
  case medium
  /// Larger than designed.
  case large
  /// Much larger than designed.
  case extraLarge

  /// The word in the library.
  public var word: Text {
    switch self {
    case .small: "s"
    case .medium: "m"
    case .large: "l"
    case .extraLarge: "xl"
    }
  }
}

extension SettingValue where Self: CaseIterable {
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
