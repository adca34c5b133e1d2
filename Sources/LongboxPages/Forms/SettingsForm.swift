// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The settings in a form: all of a group, or the one that the reader has just changed.
struct SettingsForm: Equatable {
  /// The names of the fields.
  enum Field {
    static var appearance: Text { "appearance" }
    static var darkPictures: Text { "pictures" }
    static var wideComics: Text { "wide" }
    static var altText: Text { "alt" }
    static var doubleTap: Text { "tap" }
    static var openingComic: Text { "open" }
    static var textSize: Text { "text" }
    static var shortcuts: Text { "keys" }
    static var deepSearch: Text { "deep" }
    static var keepComics: Text { "keep" }
    /// Present if a script sends the form: then the page shows the change, and needs no notice.
    static var quiet: Text { "quiet" }
  }

  private var appearance: Appearance?
  private var darkPictures: DarkPictures?
  private var wideComics: WideComics?
  private var altText: AltTextDisplay?
  private var doubleTap: DoubleTap?
  private var openingComic: OpeningComic?
  private var textSize: TextSize?
  private var shortcuts: Bool?
  private var deepSearch: Bool?
  private var keepComics: Bool?
  let isQuiet: Bool

  /// Parses a form; nil if a value is unknown, or if there is no setting in it.
  init?(_ fields: FormFields) {
    isQuiet = fields[Field.quiet] != nil
    var count = 0
    /// Reads a field; false if its value is unknown.
    func read<Value: SettingValue>(_ name: Text, _ value: inout Value?) -> Bool {
      guard let word = fields[name] else { return true }
      value = Value(word: word)
      count += 1
      return value != nil
    }
    guard
      read(Field.appearance, &appearance), read(Field.darkPictures, &darkPictures),
      read(Field.wideComics, &wideComics), read(Field.altText, &altText),
      read(Field.doubleTap, &doubleTap), read(Field.openingComic, &openingComic),
      read(Field.textSize, &textSize), read(Field.shortcuts, &shortcuts),
      read(Field.deepSearch, &deepSearch), read(Field.keepComics, &keepComics), count > 0
    else { return nil }
  }

  /// Changes the settings in the form, and no others.
  /// - Throws: `LibraryError.full`.
  func apply(to library: inout Library, at editTime: EditTime) throws(LibraryError) {
    if let appearance { try library.set(.appearance, to: appearance, at: editTime) }
    if let darkPictures { try library.set(.darkPictures, to: darkPictures, at: editTime) }
    if let wideComics { try library.set(.wideComics, to: wideComics, at: editTime) }
    if let altText { try library.set(.altText, to: altText, at: editTime) }
    if let doubleTap { try library.set(.doubleTap, to: doubleTap, at: editTime) }
    if let openingComic { try library.set(.openingComic, to: openingComic, at: editTime) }
    if let textSize { try library.set(.textSize, to: textSize, at: editTime) }
    if let shortcuts { try library.set(.shortcuts, to: shortcuts, at: editTime) }
    if let deepSearch { try library.set(.deepSearchByDefault, to: deepSearch, at: editTime) }
    if let keepComics { try library.set(.keepComics, to: keepComics, at: editTime) }
  }
}
