// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import TestSupport
import Testing

@testable import LongboxDevice

@Suite struct MessageTests {
  @Test(arguments: 0..<20)
  func `are rejected without a crash when random`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let device = try DeviceBench.opened()
    for _ in 0..<200 {
      let operation = try #require(Operation.allCases.randomElement(using: &random))
      let message = (0..<Int.random(in: 0...80, using: &random)).map { _ in
        // Mostly small numbers, so that lengths are sometimes valid.
        Bool.random(using: &random) ? 0 : UInt8.random(in: 0...255, using: &random)
      }
      _ = device.perform(operation, message)
    }
    #expect(device.perform(.facts) != nil, "seed \(seed)")
  }

  @Test(arguments: 0..<10)
  func `are rejected or answered when a few bytes are wrong`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let device = try DeviceBench.opened()
    let loaded = [(HostNeed(kind: 9, key: "70"), HostValue.album("70", "Wick", titles: ["One", "Two"]))]
    for _ in 0..<200 {
      var message = Ask("/albums/70/quiz", form: "start=tracks", loaded: loaded).message
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        message[Int.random(in: message.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard let reply = device.perform(.respond, message) else { continue }
      #expect(HostReply(reply) != nil, "seed \(seed): \(message)")
    }
  }

  @Test func `need an archive and a library`() {
    let device = DeviceBench()
    #expect(device.perform(.facts) == nil)
    #expect(device.perform(.save) == nil)
    #expect(device.perform(.respond, Ask("/").message) == nil)
    #expect(device.perform(.begin, [1, 0, 0, 0, 0, 0, 0, 0]) == [])
    #expect(device.perform(.respond, Ask("/").message) == nil)
  }

  @Test func `are rejected with a length beyond their end`() throws {
    let device = try DeviceBench.opened()
    let whole = Ask("/1/").message
    #expect(device.perform(.respond, whole) != nil)
    for length in whole.indices { #expect(device.perform(.respond, Array(whole.prefix(length))) == nil) }
  }

  @Test func `are answered with a page, after its needs were loaded`() throws {
    let device = try DeviceBench.opened()
    let needs = try device.reply(to: Ask("/1/")).needs
    #expect(needs == [HostNeed(kind: 2, key: "1"), HostNeed(kind: 3, key: "1")])
    let lacking = try #require(device.perform(.respond, Ask("/1/").message))
    #expect(lacking == [0, 2, 0, 0, 0, 2, 1, 0, 0, 0, 49, 3, 1, 0, 0, 0, 49])
    let answer = try device.answer(to: Ask("/1/"))
    #expect(answer.status == 200 && answer.viewed == 1 && answer.location.isEmpty)
    #expect(!answer.isLibraryChanged && !answer.serverMayKnowMore)
    #expect(answer.page.contains("<h1><bdi>Barrel</bdi></h1>"))
    let loaded = needs.map { $0.map { ($0, HostValue.unreachable) } } ?? []
    let reply = try #require(device.perform(.respond, Ask("/1/", loaded: loaded).message))
    #expect(reply.starts(with: [1, 200, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0] + Array("<!doctype html>".utf8)))
  }

  @Test func `record a view once it is reported, and say when a form has changed the library`() throws {
    let device = try DeviceBench.opened()
    #expect(try !device.answer(to: Ask("/1/")).isLibraryChanged, "it may not be in sight for long")
    #expect(try device.answer(to: Ask("/read/viewed", form: "comic=1")).isLibraryChanged)
    #expect(try device.answer(to: Ask("/continue")).location == "/1/")
    #expect(device.perform(.facts)?[21] == 0, "views alone are not synced")
    let form = try device.answer(to: Ask("/favorites/set", form: "comic=1&on=yes&back=/1/"))
    #expect(form.status == 303 && form.isLibraryChanged && form.location == "/1/" && form.page.isEmpty)
    #expect(device.perform(.facts)?[21] == 1, "a favorite is")
    _ = try device.answer(to: Ask("/1/"))
    let stored = device.perform(.save)
    #expect(try !device.answer(to: Ask("/2/", isPrefetch: true)).isLibraryChanged, "it is not shown yet")
    #expect(device.perform(.save) == stored)
  }

  @Test func `save and open a library unchanged`() throws {
    let device = try DeviceBench.opened()
    _ = device.perform(.respond, Ask("/favorites/set", form: "comic=1&on=yes").message)
    let stored = try #require(device.perform(.save))
    let later = try DeviceBench.opened()
    #expect(later.perform(.load, stored) == [])
    #expect(later.perform(.save) == stored)
    #expect(later.perform(.facts) == device.perform(.facts))
    #expect(later.perform(.load, [1, 2, 3]) == nil)
    #expect(later.perform(.save) == stored, "other bytes never replace a library")
  }

  @Test func `say where the server may know more`() throws {
    let device = try DeviceBench.opened()
    let paths = [
      ("/1/", false), ("/9/", true), ("/nothing/here", true), ("/x", true), ("/404/", false),
      ("/1/explanation", false),
      ("/albums", true), ("/albums/70", true), ("/feeds", true), ("/settings/move", true),
    ]
    for (path, serverMayKnowMore) in paths {
      #expect(try device.answer(to: Ask(path)).serverMayKnowMore == serverMayKnowMore, "\(path)")
    }
  }

  @Test func `mark pages as offline`() throws {
    let device = try DeviceBench.opened()
    #expect(try device.answer(to: Ask("/1/", isOffline: true)).page.contains("Offline."))
    #expect(try !device.answer(to: Ask("/1/")).page.contains("Offline."))
  }

  @Test func `insert the beginning of an explanation unchanged`() throws {
    let device = try DeviceBench.opened()
    device.table[HostNeed(kind: 3, key: "1")] = .text("<p>The <em>beginning</em>.</p>")
    #expect(try device.answer(to: Ask("/1/")).page.contains("<p>The <em>beginning</em>.</p>"))
    #expect(device.asked == [HostNeed(kind: 2, key: "1"), HostNeed(kind: 3, key: "1")])
    let loaded = device.asked.map { ($0, device.table[$0] ?? .unreachable) }
    let half = Ask("/1/", loaded: [loaded[1]])
    #expect(try device.reply(to: half).needs == [loaded[0].0], "only the facts of the picture are lacking")
    let whole = Ask("/1/", loaded: loaded).message
    #expect(device.perform(.respond, whole) != nil)
    for length in whole.indices { #expect(device.perform(.respond, Array(whole.prefix(length))) == nil) }
  }

  @Test func `show the whole of an explanation, and say where there is none`() throws {
    let device = try DeviceBench.opened()
    let need = HostNeed(kind: 4, key: "1")
    device.table[need] = .text("<p>The <em>whole</em>.</p>")
    let here = try device.answer(to: Ask("/1/explanation"))
    #expect(here.status == 200 && here.page.contains("<p>The <em>whole</em>.</p>"))
    #expect(device.asked == [need])
    device.table[need] = .absent
    #expect(try device.answer(to: Ask("/1/explanation")).status == 404)
    device.table[need] = .unreachable
    let offline = try device.answer(to: Ask("/1/explanation", isOffline: true))
    #expect(offline.status == 303 && offline.location == "/1/#explanation")
  }

  @Test func `choose the comics that are marked as read`() throws {
    let device = try DeviceBench.opened()
    _ = try device.answer(to: Ask("/read/set", form: "comic=2&on=yes"))
    let (asked, read): ([UInt8], [UInt8]) = ([1, 0, 0, 0, 2, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0], [2, 0, 0, 0])
    #expect(device.perform(.readAmong, asked) == read, "comic 9 isn't in the archive")
    _ = try device.answer(to: Ask("/read/older", form: "comic=2"))
    #expect(device.perform(.readAmong, asked) == [1, 0, 0, 0] + read)
  }

  @Test func `list pictures newest first`() throws {
    let device = try DeviceBench.opened()
    let everything = try #require(device.perform(.pictures, [2]))
    #expect(everything.count == 16 * 3)
    #expect(everything[0] == 3 && everything[16] == 2 && everything[32] == 1)
    #expect(device.perform(.pictures, [1]) == [])
  }
}
