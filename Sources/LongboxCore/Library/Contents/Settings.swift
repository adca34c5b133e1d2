// Longbox
// SPDX-License-Identifier: MIT

/// A type of setting, with a word for each value in the library.
public protocol SettingValue: Equatable, Sendable {
  /// Decodes a word; nil if unknown to this version.
  init?(word: Text)

  var word: Text { get }
}

/// A setting: its register, its type and its default.
///
/// Settings and values of newer versions stay in the library unchanged. Unknown values read as the default.
public struct Setting<Value: SettingValue>: Sendable {
  public let key: LibraryKey
  public let initial: Value

  init(_ key: Text, initial: Value) {
    self.key = LibraryKey(known: key)
    self.initial = initial
  }
}

extension Setting where Value == Appearance {
  /// Light or dark pages.
  public static var appearance: Self { Self("setting/appearance", initial: .system) }
}

extension Setting where Value == DarkPictures {
  /// How comics look on dark pages.
  public static var darkPictures: Self { Self("setting/darkPictures", initial: .invert) }
}

extension Setting where Value == WideComics {
  /// How comics wider than the screen are shown at first.
  public static var wideComics: Self { Self("setting/wideComics", initial: .whole) }
}

extension Setting where Value == DoubleTap {
  /// What a double tap on a comic does.
  public static var doubleTap: Self { Self("setting/doubleTap", initial: .favorite) }
}

extension Setting where Value == AltTextDisplay {
  /// When a comic's alt text is shown.
  public static var altText: Self { Self("setting/altText", initial: .onTap) }
}

extension Setting where Value == OpeningComic {
  /// The comic with which Longbox opens.
  public static var openingComic: Self { Self("setting/openWith", initial: .latest) }
}

extension Setting where Value == TextSize {
  /// The size of texts about comics; not synced, since it depends on the device's screen.
  public static var textSize: Self { Self("local/setting/textSize", initial: .medium) }
}

extension Setting where Value == Bool {
  /// Whether search includes transcripts and explanations by default.
  public static var deepSearchByDefault: Self { Self("setting/deepSearchByDefault", initial: false) }
  /// Whether single-key shortcuts are on, such as `r` for a random comic.
  public static var shortcuts: Self { Self("setting/shortcuts", initial: true) }
  /// Whether viewed pictures are kept on the device; not synced, so each device has its own value.
  public static var keepComics: Self { Self("local/setting/keepComics", initial: true) }
}

extension Library {
  public func value<Value>(of setting: Setting<Value>) -> Value {
    value(setting.key).flatMap { Value(word: $0) } ?? setting.initial
  }

  /// Changes a setting.
  /// - Throws: `LibraryError.full`.
  @discardableResult
  public mutating func set<Value>(
    _ setting: Setting<Value>,
    to value: Value,
    at editTime: EditTime
  ) throws(LibraryError) -> Undo {
    try set(setting.key, to: value.word, timestamp: editTime.timestamp)
  }
}

/// Exceptions from ``Setting/darkPictures``: `setting/drawn/353` for a comic that stays as it was drawn.
extension Library {
  /// Whether a comic is shown as it was drawn on dark pages, whatever the setting says.
  public func isShownAsDrawn(_ comic: Comic.Number) -> Bool {
    value(Self.drawnKey(comic)) != nil
  }

  /// Makes or ends an exception for a comic.
  /// - Throws: `LibraryError.full`.
  @discardableResult
  public mutating func setShownAsDrawn(
    _ isDrawn: Bool,
    comic: Comic.Number,
    at editTime: EditTime
  ) throws(LibraryError) -> Undo {
    try set(Self.drawnKey(comic), to: isDrawn ? true.word : nil, timestamp: editTime.timestamp)
  }

  private static func drawnKey(_ comic: Comic.Number) -> LibraryKey { LibraryKey("setting/drawn/", comic) }
}

/// Light or dark pages.
public enum Appearance: SettingValue, CaseIterable {
  case system
  case light
  case dark

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
  case zoom
  /// Nothing, so that a single tap acts at once.
  case nothing

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
  case random

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
  public init?(word: Text) {
    guard let value = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = value
  }
}

extension Bool: SettingValue {
  /// The word in the library: `on` or `off`.
  public var word: Text { self ? "on" : "off" }

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
