// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import TestSupport
import Testing

@testable import LongboxStore

@Suite("Pictures in the store") struct StorePicturesTests {
  let folder = TemporaryFolder()

  @Test(arguments: Engine.tested)
  func `keep bytes and thumbnail under content names`(engine: Engine) async throws {
    let store = try await storeWithComics(engine)
    try await store.pictures.save([picture(1)])
    let stored = try #require(try await store.pictures.picture(.standard, of: number(1)))
    #expect(try await store.pictures.bytes(of: stored) == pictureBytes(1))
    #expect(stored.byteCount == 300)
    #expect(stored.name.wholeMatch(of: /[0-9a-f]{2}\/[0-9a-f]{62}\.png/) != nil)
    #expect(try [UInt8](Data(contentsOf: stored.file)) == pictureBytes(1))
    let thumbnail = try #require(try await store.pictures.picture(.thumbnail, of: number(1)))
    #expect(thumbnail.name.hasSuffix(".webp"))
    #expect(try await store.pictures.picture(.doubleSize, of: number(1)) == nil)
    #expect(try await store.pictures.picture(.standard, of: number(2)) == nil)
    #expect(Set(folder.files(in: "pictures")) == [stored.name, thumbnail.name])
    #expect(try folder.permissions("pictures/\(stored.name)") == 0o600)
  }

  @Test(arguments: Engine.tested)
  func `are named by the SHA-256 of their bytes`(engine: Engine) async throws {
    let store = try await storeWithComics(engine)
    var abc = try picture(1)
    abc.bytes = Array("abc".utf8)
    try await store.pictures.save([abc])
    let name = try await store.pictures.picture(.standard, of: number(1))?.name
    #expect(name == "ba/7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad.png")
  }

  @Test(arguments: Engine.tested)
  func `share one file between two comics, and keep it while one uses it`(engine: Engine) async throws {
    let store = try await storeWithComics(engine)
    try await store.pictures.save([picture(1, seed: 5), picture(2, seed: 5)])
    #expect(try await store.pictures.totals() == PictureTotals(files: 2, bytes: 340))
    try await store.pictures.save([picture(1, seed: 6)])
    #expect(try await read(.standard, 2, store) == pictureBytes(5))
    #expect(try await store.pictures.totals().files == 4)
    try await store.pictures.save([picture(2, seed: 6)])
    #expect(folder.files(in: "pictures").count == 2)
    #expect(try await store.audit(readingPictures: true).isSound)
  }

  @Test(arguments: Engine.tested)
  func `make a double due again when they change, and remove the old one`(engine: Engine)
    async throws
  {
    let store = try await storeWithComics(engine)
    try await store.pictures.save([picture(1)])
    try await store.pictures.saveDoubleSize(pictureBytes(9), format: .jpeg, of: number(1))
    #expect(try await store.comics.comic(number(1))?.picture?.doubleSize == .present)
    try await store.pictures.save([picture(1)])
    #expect(try await store.fetches.status(of: .doubleSize, of: number(1)).state == .fetched)
    try await store.pictures.save([picture(1, seed: 77)])
    #expect(try await store.fetches.status(of: .doubleSize, of: number(1)).state == .never)
    #expect(try await store.comics.comic(number(1))?.picture?.doubleSize == .present)
    #expect(try await store.pictures.picture(.doubleSize, of: number(1)) == nil)
  }

  @Test(arguments: Engine.tested)
  func `have a larger version, which is due again when they change`(engine: Engine) async throws {
    let store = try await storeWithComics(engine)
    await #expect(throws: StoreError.unknownComic(try number(1))) {
      try await store.pictures.saveLarger(pictureBytes(9), format: .png, of: number(1))
    }
    try await store.pictures.save([picture(1), picture(2)])
    try await store.pictures.saveLarger(pictureBytes(9), format: .png, of: number(1))
    #expect(try await read(.larger, 1, store) == pictureBytes(9))
    #expect(try await store.comics.comic(number(1))?.picture?.larger == .present)
    #expect(try await store.fetches.status(of: .larger, of: number(1)).state == .fetched)
    try await store.pictures.save([picture(1, seed: 77)])
    #expect(try await store.fetches.status(of: .larger, of: number(1)).state == .never)
    #expect(try await store.pictures.picture(.larger, of: number(1)) == nil)
    let before = try await store.comics.revision()
    try await store.pictures.noteLargerVersionTooLarge(of: number(2))
    #expect(try await store.comics.comics(changedSince: before).first?.picture?.larger == .tooLarge)
    #expect(try await store.fetches.status(of: .larger, of: number(2)).state == .absent)
    try await store.fetches.noteAbsent(.larger, of: number(1), lookAgain: nil)
    #expect(try await store.comics.comic(number(1))?.picture?.larger == .absent)
    #expect(try await store.audit(readingPictures: true).isSound)
  }

  @Test(arguments: Engine.tested)
  func `change only with another fact`(engine: Engine) async throws {
    let store = try await storeWithComics(engine)
    try await store.pictures.save([picture(1)])
    let before = try await store.comics.revision()
    try await store.pictures.save([picture(1)])
    #expect(try await store.comics.revision() == before)
    try await store.pictures.save([picture(1, lightness: 20)])
    #expect(try await store.comics.comics(changedSince: before).map(\.number.value) == [1])
  }

  @Test(arguments: Engine.tested)
  func `are rejected together when one is of an unknown comic`(engine: Engine) async throws {
    let store = try await storeWithComics(engine)
    await #expect(throws: StoreError.unknownComic(try number(99))) {
      try await store.pictures.save([picture(1), picture(99)])
    }
    await #expect(throws: StoreError.unknownComic(try number(1))) {
      try await store.pictures.saveDoubleSize(pictureBytes(1), format: .png, of: number(1))
    }
    #expect(try await store.pictures.totals() == PictureTotals())
    #expect(folder.files(in: "pictures").isEmpty)
  }

  @Test(arguments: ["missing", "cut", "longer"])
  func `are fetched again where the file differs from what was stored`(damage: String) async throws {
    let store = try await storeWithComics()
    try await store.pictures.save([picture(1, seed: 5), picture(2, seed: 5), picture(3)])
    let stored = try #require(try await store.pictures.picture(.standard, of: number(1)))
    switch damage {
    case "missing": try FileManager.default.removeItem(at: stored.file)
    case "cut": try Data(pictureBytes(5).dropLast()).write(to: stored.file)
    default: try Data(pictureBytes(5) + [0]).write(to: stored.file)
    }
    #expect(try await store.audit().isSound == false)
    #expect(try await store.pictures.bytes(of: stored) == nil)
    #expect(try await store.pictures.picture(.standard, of: number(2)) == nil)
    #expect(try await store.fetches.status(of: .picture, of: number(1)).state == .never)
    #expect(try await store.fetches.status(of: .picture, of: number(2)).state == .never)
    #expect(try await store.fetches.status(of: .picture, of: number(3)).state == .fetched)
    #expect(try await store.comics.comic(number(1))?.picture != nil)
    #expect(try await store.audit().isSound)
    try await store.pictures.save([picture(1, seed: 5)])
    #expect(try await read(.standard, 1, store) == pictureBytes(5))
  }

  @Test func `have a missing thumbnail made again`() async throws {
    let store = try await storeWithComics()
    try await store.pictures.save([picture(1), picture(2)])
    #expect(try await store.pictures.numbersToInspect(rulesVersion: 1, limit: 9).isEmpty)
    let thumbnail = try #require(try await store.pictures.picture(.thumbnail, of: number(1)))
    try FileManager.default.removeItem(at: thumbnail.file)
    #expect(try await store.pictures.picture(.thumbnail, of: number(1)) == nil)
    #expect(try await store.fetches.status(of: .picture, of: number(1)).state == .fetched)
    #expect(try await store.pictures.numbersToInspect(rulesVersion: 1, limit: 9) == [number(1)])
  }

  @Test(arguments: Engine.tested)
  func `have facts of older rules computed again, newest first`(engine: Engine) async throws {
    let store = try await storeWithComics(engine)
    try await store.pictures.save([picture(1), picture(2), picture(3)])
    #expect(try await store.pictures.numbersToInspect(rulesVersion: 2, limit: 2).map(\.value) == [3, 2])
    let before = try await store.comics.revision()
    var facts = try picture(3).facts
    try await store.pictures.save(facts, rulesVersion: 2, thumbnail: nil, of: number(3))
    #expect(try await store.comics.revision() == before)
    facts.lightness = 3
    try await store.pictures.save(facts, rulesVersion: 2, thumbnail: [1, 2, 3], of: number(2))
    #expect(try await store.comics.comics(changedSince: before).map(\.number.value) == [2])
    #expect(try await read(.thumbnail, 2, store) == [1, 2, 3])
    #expect(try await store.pictures.numbersToInspect(rulesVersion: 2, limit: 2).map(\.value) == [1])
  }

  @Test(arguments: Engine.tested)
  func `of one comic are fetched again on request`(engine: Engine) async throws {
    let store = try await storeWithComics(engine)
    try await store.pictures.save([picture(1, seed: 5), picture(2, seed: 5), picture(3)])
    try await store.pictures.discard(of: number(1))
    try await store.pictures.discard(of: number(3))
    #expect(try await store.pictures.picture(.standard, of: number(1)) == nil)
    #expect(try await store.fetches.status(of: .picture, of: number(1)).state == .never)
    #expect(try await read(.standard, 2, store) == pictureBytes(5))
    #expect(folder.files(in: "pictures").count == 2)
    #expect(try await store.comics.comic(number(3))?.picture != nil)
  }

  @Test func `with changed bytes of the same size are found by a reading audit`() async throws {
    let store = try await storeWithComics()
    try await store.pictures.save([picture(1)])
    let stored = try #require(try await store.pictures.picture(.standard, of: number(1)))
    try Data(pictureBytes(8)).write(to: stored.file)
    #expect(try await store.audit().isSound)
    #expect(try await store.audit(readingPictures: true).damagedPictures == [stored.name])
  }

  private func storeWithComics(_ engine: Engine = .sqlite) async throws -> Store {
    let store = try await engine.open(folder.url)
    try await store.comics.save([record(1), record(2), record(3)])
    return store
  }

  private func read(_ kind: PictureKind, _ value: Int, _ store: Store) async throws -> [UInt8]? {
    guard let stored = try await store.pictures.picture(kind, of: number(value)) else { return nil }
    return try await store.pictures.bytes(of: stored)
  }
}

@Suite("Content names") struct ContentNameTests {
  @Test func `are equal for equal bytes, and start with a folder of two digits`() {
    let name = ContentName(of: [], ending: "gif")
    #expect(name.value == "e3/b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855.gif")
    #expect(name == ContentName(of: [], ending: "gif"))
    #expect(ContentName(name.value) == name)
  }

  @Test(arguments: [
    "", "e3", "../../etc/passwd", "e3/b0c4.gif", "/etc/passwd.png",
    "e3/b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "e3/b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855.html",
    "e3/B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855.gif",
    "e3/b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca49599/b7852b855.gif",
    "e3/../298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855aa.gif",
    "e3b/0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855.gif",
  ])
  func `are rejected in any other form`(name: String) {
    #expect(ContentName(name) == nil)
  }
}
