// Longbox
// SPDX-License-Identifier: MIT

/// What a setting can be, and the word for each in the library.
public protocol SettingValue: Equatable, Sendable {
  /// Reads a word, or nothing where this version does not know it.
  init?(word: Text)

  /// The word in the library.
  var word: Text { get }
}

/// A setting: its register's name, what it can be, and what it is while nobody has set it.
///
/// The set is open: a newer version's settings, and values that this version does not know, stay in the library
/// untouched. Here such a value reads as the default.
public struct Setting<Value: SettingValue>: Sendable {
  /// The register.
  public let key: LibraryKey
  /// What the setting is while nobody has set it.
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

extension Setting where Value == DoubleTap {
  /// What a double tap on a comic does.
  public static var doubleTap: Self { Self("setting/doubleTap", initial: .favorite) }
}

extension Setting where Value == AltTextDisplay {
  /// Where a comic's alt text is shown.
  public static var altText: Self { Self("setting/altText", initial: .details) }
}

extension Setting where Value == Bool {
  /// Whether comics that allow it are inverted on dark pages.
  public static var invertInDark: Self { Self("setting/invertInDark", initial: false) }
  /// Whether search looks into transcripts and explanations unless told otherwise.
  public static var deepSearchByDefault: Self { Self("setting/deepSearchByDefault", initial: false) }
  /// Whether single keys do things, as `r` for a random comic.
  public static var shortcuts: Self { Self("setting/shortcuts", initial: true) }
  /// Whether pictures that were seen are kept on the device; each device has its own say, so it isn't synced.
  public static var keepComics: Self { Self("local/setting/keepComics", initial: true) }
}

extension Library {
  /// What a setting is.
  public func value<Value>(of setting: Setting<Value>) -> Value {
    value(setting.key).flatMap { Value(word: $0) } ?? setting.initial
  }

  /// Changes a setting.
  /// - Throws: `LibraryError.full`.
  @discardableResult
  public mutating func set<Value>(
    _ setting: Setting<Value>,
    to value: Value,
    at moment: Moment
  ) throws(LibraryError) -> Undo {
    try set(setting.key, to: value.word, stamp: moment.stamp)
  }
}
