// Longbox
// SPDX-License-Identifier: MIT

/// A type of setting, with a word for each value in the library.
public protocol SettingValue: Equatable, Sendable {
  /// Decodes a word; nil if unknown to this version.
  init?(word: Text)

  /// The word in the library.
  var word: Text { get }
}

/// A setting: its register, its type and its default.
///
/// Settings and values of newer versions stay in the library unchanged. Unknown values read as the default.
public struct Setting<Value: SettingValue>: Sendable {
  /// The register.
  public let key: LibraryKey
  /// The default.
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
  /// The value of a setting.
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
