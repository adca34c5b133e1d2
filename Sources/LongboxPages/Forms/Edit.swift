// Longbox
// SPDX-License-Identifier: MIT

package import LongboxCore

/// The address of a form that changes the reader's library.
public enum EditAddress: CaseIterable, Equatable, Sendable {
  /// Adds or removes a favorite.
  case favorite
  /// Saves the note of a favorite.
  case note
  /// Removes the chosen favorites.
  case removeFavorites
  case clearFavorites
  /// Marks all comics as unread.
  case clearReadMarks
  /// Forgets which comics were viewed.
  case clearHistory
  /// Marks a comic as read or unread.
  case read
  /// Reports that a comic was in view for a while.
  case viewed
  /// Marks a comic and all before it as read.
  case readOlder
  /// Shows a comic on dark pages as it was drawn, or by the setting.
  case drawn
  case settings
  case saveAlbum
  case removeAlbum
  /// Chooses the article about an album.
  case pickArticle
  /// Undoes the last change.
  case undo

  var path: Text {
    switch self {
    case .favorite: "/favorites/set"
    case .note: "/favorites/note"
    case .removeFavorites: "/favorites/remove"
    case .clearFavorites: "/favorites/clear"
    case .clearReadMarks: "/read/clear"
    case .clearHistory: "/history/clear"
    case .read: "/read/set"
    case .viewed: "/read/viewed"
    case .readOlder: "/read/older"
    case .drawn: "/pictures/drawn"
    case .settings: "/settings/set"
    case .saveAlbum: "/albums/save"
    case .removeAlbum: "/albums/remove"
    case .pickArticle: "/albums/article"
    case .undo: "/undo"
    }
  }

  /// Whether opening the address shows a page that asks first.
  var isConfirmed: Bool { self == .clearFavorites || self == .clearReadMarks }

  /// The page to show when the address is opened without a form.
  var home: Link {
    switch self {
    case .favorite, .note, .removeFavorites, .clearFavorites: .favorites
    case .settings, .clearReadMarks: .settings
    case .clearHistory: .history
    case .saveAlbum, .removeAlbum, .pickArticle: .savedAlbums
    case .read, .viewed, .readOlder, .drawn, .undo: .latest
    }
  }
}

/// A change to the reader's library, requested by a form.
enum Edit: Equatable {
  /// Adds or removes a favorite.
  case favorite(Comic.Number, Bool)
  /// Sets the note of a favorite.
  case note(Comic.Number, Text)
  case removeFavorites([Comic.Number])
  case clearFavorites
  /// Marks all comics as unread.
  case clearReadMarks
  /// Forgets which comics were viewed.
  case clearHistory
  /// Marks a comic as read or unread.
  case read(Comic.Number, Bool)
  /// Marks a viewed comic as read and, unless `keepsPlace`, makes it the reader's place.
  case viewed(Comic.Number, keepsPlace: Bool)
  /// Marks a comic and all before it as read.
  case readOlder(Comic.Number)
  /// Shows a comic on dark pages as it was drawn, or by the setting.
  case drawn(Comic.Number, Bool)
  case settings(SettingsForm)
  case saveAlbum(SavedAlbum)
  case removeAlbum(StoreID)
  /// Sets the article for an album, or removes the choice.
  case pickArticle(ArticlePick?, for: StoreID)
  /// Undoes the last edit.
  case undo

  /// Parses a form; nil if a field is missing or invalid.
  init?(_ address: EditAddress, fields: FormFields) {
    switch address {
    case .clearFavorites: self = .clearFavorites
    case .removeFavorites: self = .removeFavorites(fields.comics("comic"))
    case .clearReadMarks: self = .clearReadMarks
    case .clearHistory: self = .clearHistory
    case .undo: self = .undo
    case .settings:
      guard let form = SettingsForm(fields) else { return nil }
      self = .settings(form)
    case .saveAlbum:
      guard let album = SavedAlbum(fields) else { return nil }
      self = .saveAlbum(album)
    case .removeAlbum:
      guard let album = fields["album"].flatMap({ StoreID($0) }) else { return nil }
      self = .removeAlbum(album)
    case .pickArticle:
      guard let album = fields["album"].flatMap({ StoreID($0) }), let page = fields["page"] else {
        return nil
      }
      let pick = page.number.flatMap { ArticlePick(language: fields["language"] ?? .empty, page: $0) }
      guard pick != nil || page.isEmpty else { return nil }
      self = .pickArticle(pick, for: album)
    case .readOlder:
      // Readers type this number, so 404 is accepted: it means the comics before it.
      var digits = (fields["comic"] ?? .empty).bytes.trimmed()
      if digits.first == UInt8(ascii: "#") { digits = digits.dropFirst() }
      guard let number = Text(digits).number,
        let comic = number == 404 ? .beforeMissing : Comic.Number(number)
      else { return nil }
      self = .readOlder(comic)
    case .favorite, .note, .read, .viewed, .drawn:
      guard let comic = fields.comic("comic") else { return nil }
      switch address {
      case .favorite: self = .favorite(comic, fields["on"] == "yes")
      case .note: self = .note(comic, Text((fields["note"] ?? .empty).bytes.trimmed()))
      case .viewed: self = .viewed(comic, keepsPlace: fields["place"] == "keep")
      case .drawn: self = .drawn(comic, fields["on"] == "yes")
      default: self = .read(comic, fields["on"] == "yes")
      }
    }
  }

  /// Applies the change, and leaves a notice for the next page, unless the page itself shows the change.
  /// - Throws: `LibraryError` if the library can't hold the change; it is then unchanged.
  func apply(to replica: inout Replica, at now: UInt64) throws(LibraryError) {
    var edited = replica
    let editTime = edited.editTime(at: now)
    var undo = Undo()
    var kind: Notice.Kind?
    switch self {
    case .favorite(let comic, let isOn):
      undo =
        isOn
        ? try edited.library.addFavorite(comic, at: editTime)
        : try edited.library.removeFavorite(comic, at: editTime)
      kind = isOn ? .favoriteAdded(comic) : .favoriteRemoved(comic)
    case .note(let comic, let note):
      undo = try edited.library.setNote(note, ofFavorite: comic, at: editTime)
      kind = .noteSaved(comic)
    case .removeFavorites(let comics):
      undo = try edited.library.removeFavorites(comics, at: editTime)
      kind = .favoritesRemoved(undo.items.count)
    case .clearFavorites:
      undo = try edited.library.clearFavorites(at: editTime)
      kind = .favoritesCleared
    case .clearReadMarks:
      if let greatest = Comic.Number(Comic.Number.greatestValue) {
        undo = try edited.library.setRead(false, upTo: greatest, at: editTime)
      }
      kind = .readMarksCleared
    case .clearHistory:
      undo = try edited.library.clearHistory(at: editTime)
      kind = .historyCleared
    case .read(let comic, let isRead):
      undo = try edited.library.setRead(isRead, comic: comic, at: editTime)
      kind = isRead ? .markedRead(comic) : .markedUnread(comic)
    case .viewed(let comic, let keepsPlace):
      // A comic that the reader has just marked as unread stays unread.
      if Notice.last(in: edited.library, at: now)?.kind != .markedUnread(comic) {
        try edited.library.markViewed(comic, at: editTime)
        try edited.library.noteInHistory(comic, at: editTime)
        if !keepsPlace { try edited.library.notePlace(comic, at: editTime) }
      }
      kind = nil
    case .readOlder(let comic):
      undo = try edited.library.setRead(true, upTo: comic, at: editTime)
      kind = .markedOlder(comic)
    case .drawn(let comic, let isOn):
      try edited.library.setShownAsDrawn(isOn, comic: comic, at: editTime)
      kind = nil
    case .settings(let form):
      try form.apply(to: &edited.library, at: editTime)
      kind = form.isQuiet ? nil : .settingsSaved
    case .saveAlbum(let album):
      undo = try edited.library.save(album, at: editTime)
      kind = .albumSaved
    case .removeAlbum(let album):
      undo = try edited.library.removeAlbum(album, at: editTime)
      kind = .albumsRemoved(1)
    case .pickArticle(let pick, let album):
      try edited.library.pickArticle(pick, for: album, at: editTime)
      kind = nil
    case .undo:
      if let notice = Notice(in: edited.library) { try edited.library.apply(notice.undo, at: editTime) }
      kind = .undone
    }
    if let kind { Notice(kind, undo).extending(replica.library, at: now).leave(in: &edited, at: now) }
    replica = edited
  }

  /// The favorites that the change would remove for good, because a notice can't hold their undo.
  func favoritesLost(from library: Library, at editTime: EditTime) -> [Comic.Number] {
    guard case .removeFavorites(let comics) = self else { return [] }
    var edited = library
    guard let undo = try? edited.removeFavorites(comics, at: editTime), !Notice.holds(undo) else { return [] }
    return library.favorites.map { $0.comic }.filter { !edited.isFavorite($0) }
  }
}

/// The settings in a form: all of a group, or the one that the reader has just changed.
struct SettingsForm: Equatable {
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

extension SavedAlbum {
  init?(_ fields: FormFields) {
    guard let id = fields["album"].flatMap({ StoreID($0) }),
      let country = fields["country"].flatMap({ StoreCountry($0) }),
      let name = fields["name"]
    else { return nil }
    self.init(
      id: id,
      country: country,
      year: fields["year"]?.number ?? 0,
      name: name,
      artist: fields["artist"] ?? .empty
    )
  }
}

/// A form with one button that changes the library and returns to its page.
struct EditForm {
  let address: EditAddress
  let comic: Comic.Number?
  var album: StoreID?
  /// The value of the field `on`, if the edit is a switch.
  var isOn: Bool?
  /// The page to return to.
  let back: Text
  /// The comics of an edit of many, which the reader has confirmed.
  var comics: [Comic.Number] = []

  /// The name of the field that says that the reader has confirmed the edit.
  static var confirmed: Text { "confirmed" }

  /// The form with its button's content.
  func html(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    form(.class("edit"), .action(.local(address.path)), Attribute("method", "post")) {
      fields
      HTML(element: "button", [Attribute("type", "submit")] + attributes, content())
    }
  }

  @HTMLBuilder var fields: HTML {
    if let comic { hidden("comic", Text(decimal: comic.value)) }
    if let album { hidden("album", album.text) }
    if let isOn { hidden("on", isOn ? "yes" : "no") }
    hidden("back", back)
    if !comics.isEmpty { hidden(Self.confirmed, "yes") }
    // Last, since only the first fields are parsed by name.
    for comic in comics { hidden("comic", Text(decimal: comic.value)) }
  }
}

/// The page that a form returns to: a local path only, so that no form redirects to another site.
package enum BackAddress {
  private static let longest = 300

  /// The page; the newest comic if the form's path is missing or invalid.
  package static func link(_ address: Text?) -> Link {
    guard
      let bytes = address?.bytes, bytes.count <= longest,
      bytes.first == UInt8(ascii: "/"),
      bytes.dropFirst().first != UInt8(ascii: "/"),
      bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
    else { return .latest }
    return .local(Text(bytes))
  }
}
