// Longbox
// SPDX-License-Identifier: MIT

import Testing

@testable import LongboxCore

struct FavoritesTests {
  @Test func `are ordered by date, newest first`() throws {
    var replica = Replica(device: 1)
    for (value, time) in [(5, 30), (1000, 10), (353, 20), (7, 20)] as [(Int, UInt64)] {
      let comic = try LibrarySamples.comic(value)
      try replica.edit(at: time) { try $0.addFavorite(comic, at: $1) }
    }
    #expect(replica.library.favorites.map(\.comic.value) == [5, 353, 7, 1000])
    #expect(replica.library.favorites.map(\.added) == [30, 20, 20, 10])
  }

  @Test func `keep date and note when added again`() throws {
    var replica = Replica(device: 1)
    let expected = Favorite(comic: .first, added: 10, note: "so <true>")
    try replica.edit(at: 10) { try $0.addFavorite(.first, at: $1) }
    try replica.edit(at: 20) { try $0.setNote("so <true>", ofFavorite: .first, at: $1) }
    #expect(replica.library.favorite(.first) == expected)
    try replica.edit(at: 30) { try $0.addFavorite(.first, at: $1) }
    #expect(replica.library.favorite(.first) == expected)
    #expect(replica.library.latest.time == 30)
    try replica.edit(at: 40) { try $0.setNote("", ofFavorite: .first, at: $1) }
    #expect(replica.library.favorite(.first) == Favorite(comic: .first, added: 10))
  }

  @Test func `hold a note of at most 1,500 bytes`() throws {
    var replica = Replica(device: 1)
    let note = Text(repeatElement(UInt8(ascii: "x"), count: 1500))
    try replica.edit(at: 1) { try $0.setNote(note, ofFavorite: .first, at: $1) }
    #expect(replica.library.favorite(.first)?.note == note)
    #expect(throws: LibraryError.noteTooLong(1501)) {
      try replica.edit(at: 2) { try $0.setNote(note + "x", ofFavorite: .first, at: $1) }
    }
  }

  @Test func `of a newer version are listed, and their values stay unchanged`() throws {
    var library = Library()
    let value = Text([9, 1, 2, 3])
    try library.set(LibraryKey("favorite/comic/353"), to: value, timestamp: Timestamp(time: 5, device: 1))
    let comic = try LibrarySamples.comic(353)
    #expect(library.favorites == [Favorite(comic: comic, added: 5)])
    try library.addFavorite(comic, at: EditTime(timestamp: Timestamp(time: 6, device: 1), time: 6))
    #expect(library.value(try LibraryKey("favorite/comic/353")) == value)
  }

  @Test(arguments: ["404", "0", "", "007", "1000000", "x", "1/2"])
  func `are not read from invalid keys`(name: String) throws {
    var library = Library()
    let key = try LibraryKey("favorite/comic/" + Text(string: name))
    try library.set(key, to: Text([1, 1]), timestamp: Timestamp(time: 5, device: 1))
    #expect(library.favorites.isEmpty)
    #expect(try Library(decoding: library.encoded()).value(key) == Text([1, 1]))
  }

  @Test func `are cleared in one step, and restored by one undo`() throws {
    var replica = Replica(device: 1)
    for value in 1...30 {
      let comic = try LibrarySamples.comic(value)
      try replica.edit(at: UInt64(value)) { try $0.setNote("note", ofFavorite: comic, at: $1) }
    }
    try replica.edit(at: 90) { try $0.removeFavorite(.first, at: $1) }
    let before = replica.library.favorites
    let undo = try replica.edit(at: 100) { try $0.clearFavorites(at: $1) }
    #expect(replica.library.favorites.isEmpty)
    #expect(undo.items.count == 29)
    let carried = try Undo(decoding: undo.encoded())
    #expect(carried == undo)
    let redo = try replica.edit(at: 110) { try $0.apply(carried, at: $1) }
    #expect(replica.library.favorites == before)
    try replica.edit(at: 120) { _ = try $0.apply(redo, at: $1) }
    #expect(replica.library.favorites.isEmpty)
  }
}

struct PlaceTests {
  @Test func `is updated for another comic, or a minute later`() throws {
    var replica = Replica(device: 1)
    let next = try LibrarySamples.comic(2)
    let views: [(comic: Comic.Number, time: UInt64, noted: UInt64)] = [
      (.first, 1000, 1000), (.first, 60_999, 1000), (.first, 61_000, 61_000), (next, 61_001, 61_001),
      // A clock that was set back.
      (next, 500, 500),
    ]
    for view in views {
      try replica.edit(at: view.time) { try $0.notePlace(view.comic, at: $1) }
      #expect(replica.library.place == Place(comic: view.comic, time: view.noted))
    }
  }
}

struct UndoTests {
  @Test func `restores the state before each kind of edit`() throws {
    var replica = Replica(device: 1)
    try replica.edit(at: 1) { try $0.setNote("before", ofFavorite: .first, at: $1) }
    try replica.edit(at: 2) { try $0.setPlace(.first, at: $1) }
    try replica.edit(at: 3) { try $0.set(.shortcuts, to: false, at: $1) }
    try replica.edit(at: 4) { try $0.save("one", kind: "album", name: "1", at: $1) }
    let before = replica.library.entries.map { [$0.key.text, $0.value] }
    let next = try LibrarySamples.comic(2)
    let edits: [(inout Library, EditTime) throws -> Undo] = [
      { try $0.setNote("after", ofFavorite: .first, at: $1) }, { try $0.removeFavorite(.first, at: $1) },
      { try $0.addFavorite(.first, at: $1) }, { try $0.clearFavorites(at: $1) },
      { try $0.setPlace(next, at: $1) }, { try $0.set(.shortcuts, to: true, at: $1) },
      { try $0.save("two", kind: "album", name: "1", at: $1) },
      { try $0.set(Library.savedKey(kind: "album", name: "1"), to: nil, timestamp: $1.timestamp) },
    ]
    for (index, edit) in edits.enumerated() {
      let undo = try replica.edit(at: 5, edit)
      let timestamp = replica.library.latest
      #expect(!undo.isEmpty)
      try replica.edit(at: 5) { _ = try $0.apply(undo, at: $1) }
      #expect(replica.library.entries.map { [$0.key.text, $0.value] } == before, "edit \(index)")
      #expect(replica.library.latest > timestamp, "an undo travels as an edit does")
    }
  }

  @Test func `keeps later edits`() throws {
    var replica = Replica(device: 1)
    let undo = try replica.edit(at: 1) { try $0.addFavorite(.first, at: $1) }
    try replica.edit(at: 2) { try $0.setNote("mine", ofFavorite: .first, at: $1) }
    let redo = try replica.edit(at: 3) { try $0.apply(undo, at: $1) }
    #expect(redo.isEmpty)
    #expect(replica.library.favorite(.first)?.note == "mine")
  }

  @Test func `reaches the other devices`() throws {
    var world = SyncWorld(devices: 2)
    try world.edit(0) { try $0.addFavorite(.first, at: $1) }
    try world.syncAll()
    let undo = try world.edit(0) { try $0.removeFavorite(.first, at: $1) }
    try world.syncAll()
    #expect(!world.peers[1].replica.library.isFavorite(.first))
    try world.edit(0) { _ = try $0.apply(undo, at: $1) }
    try world.syncAll()
    #expect(world.peers[1].replica.library.isFavorite(.first))
  }
}

struct SettingsTests {
  @Test func `keep the last place`() throws {
    var world = SyncWorld(devices: 2)
    #expect(world.server.place == nil)
    let comic = try LibrarySamples.comic(3281)
    try world.edit(0) { try $0.setPlace(.first, at: $1) }
    try world.edit(1) { try $0.setPlace(comic, at: $1) }
    try world.syncAll()
    #expect(world.peers[0].replica.library.place == Place(comic: comic, time: LibrarySamples.start + 2))
  }

  @Test(arguments: [[], [0, 1], [0x94, 3, 1], [5], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 1]] as [[UInt8]])
  func `have no place where its bytes are invalid`(bytes: [UInt8]) throws {
    var library = Library()
    try library.set(LibraryKey("place"), to: Text(bytes), timestamp: Timestamp(time: 1, device: 1))
    #expect(library.place == nil)
  }

  @Test func `return set settings, and defaults otherwise`() throws {
    var replica = Replica(device: 1)
    #expect(replica.library.value(of: .appearance) == .system)
    #expect(replica.library.value(of: .shortcuts))
    #expect(!replica.library.value(of: .deepSearchByDefault))
    for value in Appearance.allCases {
      try replica.edit(at: 1) { try $0.set(.appearance, to: value, at: $1) }
      #expect(replica.library.value(of: .appearance) == value)
    }
    for value in DoubleTap.allCases {
      try replica.edit(at: 1) { try $0.set(.doubleTap, to: value, at: $1) }
      #expect(replica.library.value(of: .doubleTap) == value)
    }
    for value in WideComics.allCases {
      try replica.edit(at: 1) { try $0.set(.wideComics, to: value, at: $1) }
      #expect(replica.library.value(of: .wideComics) == value)
    }
    for value in AltTextDisplay.allCases {
      try replica.edit(at: 1) { try $0.set(.altText, to: value, at: $1) }
      #expect(replica.library.value(of: .altText) == value)
    }
    for value in DarkPictures.allCases {
      try replica.edit(at: 1) { try $0.set(.darkPictures, to: value, at: $1) }
      #expect(replica.library.value(of: .darkPictures) == value)
    }
    for value in OpeningComic.allCases {
      try replica.edit(at: 1) { try $0.set(.openingComic, to: value, at: $1) }
      #expect(replica.library.value(of: .openingComic) == value)
    }
    for value in TextSize.allCases {
      try replica.edit(at: 1) { try $0.set(.textSize, to: value, at: $1) }
      #expect(replica.library.value(of: .textSize) == value)
    }
    for value in [true, false] {
      try replica.edit(at: 1) { try $0.set(.deepSearchByDefault, to: value, at: $1) }
      #expect(replica.library.value(of: .deepSearchByDefault) == value)
    }
  }

  @Test(arguments: [
    ("details", AltTextDisplay.onTap), ("below", .always), ("later", .always), ("always", .always),
  ])
  func `read what earlier versions wrote about the alt text`(word: String, value: AltTextDisplay) throws {
    var library = Library()
    let timestamp = Timestamp(time: 1, device: 1)
    try library.set(LibraryKey("setting/altText"), to: Text(string: word), timestamp: timestamp)
    #expect(library.value(of: .altText) == value)
  }

  @Test func `except a comic from what happens to pictures in the dark`() throws {
    var replica = Replica(device: 1)
    let comic = try #require(Comic.Number(353))
    #expect(!replica.library.isShownAsDrawn(comic))
    try replica.edit(at: 1) { try $0.setShownAsDrawn(true, comic: comic, at: $1) }
    #expect(replica.library.isShownAsDrawn(comic) && !replica.library.isShownAsDrawn(.first))
    try replica.edit(at: 2) { try $0.setShownAsDrawn(false, comic: comic, at: $1) }
    #expect(!replica.library.isShownAsDrawn(comic))
  }

  @Test func `pass settings and keys of a newer version through unchanged`() throws {
    var world = SyncWorld(devices: 2)
    try world.edit(0) { library, editTime in
      try library.set(LibraryKey("setting/appearance"), to: "sepia", timestamp: editTime.timestamp)
      try library.set(LibraryKey("setting/font"), to: "serif", timestamp: editTime.timestamp)
      try library.set(LibraryKey("quiz/1"), to: Text([255, 0]), timestamp: editTime.timestamp)
    }
    try world.syncAll()
    let library = world.peers[1].replica.library
    #expect(library.value(of: .appearance) == .system)
    #expect(library.value(try LibraryKey("setting/appearance")) == "sepia")
    #expect(library.value(try LibraryKey("setting/font")) == "serif")
    #expect(library.value(try LibraryKey("quiz/1")) == Text([255, 0]))
  }

  @Test func `keep what was viewed last, each comic once, on the device alone`() throws {
    var world = SyncWorld(devices: 2)
    for number in Array(1...103) + [50, 50] {
      try world.edit(0) { try $0.noteInHistory(LibrarySamples.comic(number), at: $1) }
    }
    let numbers = world.peers[0].replica.library.history.map(\.value)
    #expect(numbers == [50] + (4...103).reversed().filter { $0 != 50 })
    #expect(numbers.count == 100)
    #expect(!world.peers[0].replica.hasUnsentEdits)
    try world.syncAll()
    #expect(world.peers[1].replica.library.history.isEmpty && world.server.entries.isEmpty)
    try world.edit(0) { try $0.clearHistory(at: $1) }
    #expect(world.peers[0].replica.library.history.isEmpty)
  }

  @Test func `hold a hundred of the greatest numbers in the history`() throws {
    var replica = Replica(device: 1)
    for number in (Comic.Number.greatestValue - 99)...Comic.Number.greatestValue {
      let comic = try LibrarySamples.comic(number)
      try replica.edit(at: 1) { try $0.noteInHistory(comic, at: $1) }
    }
    #expect(replica.library.history.count == 100)
  }

  @Test func `show as much of a damaged history as can be read`() throws {
    var library = Library()
    let value = Text([5, 0, 7, 0xFF])
    try library.set(LibraryKey("local/history"), to: value, timestamp: Timestamp(time: 1, device: 1))
    #expect(library.history.map(\.value) == [5, 7])
  }

  @Test func `keep device settings on the device`() throws {
    var world = SyncWorld(devices: 2)
    try world.edit(0) { try $0.set(.keepComics, to: false, at: $1) }
    #expect(!world.peers[0].replica.hasUnsentEdits)
    try world.syncAll()
    #expect(!world.peers[0].replica.library.value(of: .keepComics))
    #expect(world.peers[1].replica.library.value(of: .keepComics))
    #expect(world.server.entries.isEmpty)
  }

  @Test func `store saved items by kind and name`() throws {
    var replica = Replica(device: 1)
    try replica.edit(at: 1) { try $0.save("b", kind: "album", name: "2/x", at: $1) }
    try replica.edit(at: 2) { try $0.save("a", kind: "album", name: "1", at: $1) }
    try replica.edit(at: 3) { try $0.save("c", kind: "albums", name: "3", at: $1) }
    try replica.edit(at: 4) {
      try $0.set(Library.savedKey(kind: "albums", name: "3"), to: nil, timestamp: $1.timestamp)
    }
    let library = replica.library
    let entries = library.places(under: "saved/").map { library.entries[$0] }
    #expect(entries.map(\.key.text) == ["saved/album/1", "saved/album/2/x", "saved/albums/3"])
    #expect(entries.map(\.value) == ["a", "b", nil] as [Text?])
    for (kind, name) in [("", "x"), ("a/b", "x"), ("a", "")] as [(Text, Text)] {
      #expect(throws: LibraryError.savedName) { try Library.savedKey(kind: kind, name: name) }
    }
    #expect(throws: LibraryError.keyLength(208)) {
      try Library.savedKey(kind: "a", name: Text(repeatElement(65, count: 200)))
    }
  }
}
