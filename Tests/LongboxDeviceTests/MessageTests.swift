// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import TestSupport
import Testing

@testable import LongboxDevice

@Suite struct `A device's messages` {
  @Test(arguments: 0..<20)
  func `may be anything, and are refused without a crash`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let device = try DeviceBench.opened()
    for _ in 0..<200 {
      let operation = try #require(Operation(rawValue: UInt8.random(in: 1...10, using: &random)))
      let message = (0..<Int.random(in: 0...80, using: &random)).map { _ in
        // Mostly small numbers, so that lengths fit now and then.
        Bool.random(using: &random) ? 0 : UInt8.random(in: 0...255, using: &random)
      }
      _ = device.perform(operation, message)
    }
    #expect(device.perform(.facts) != nil, "seed \(seed)")
  }

  @Test func `need an archive and a library`() {
    let device = DeviceBench()
    #expect(device.perform(.facts) == nil)
    #expect(device.perform(.save) == nil)
    #expect(device.perform(.respond, Ask("/").message) == nil)
    #expect(device.perform(.begin, [1, 0, 0, 0, 0, 0, 0, 0]) == [])
    #expect(device.perform(.respond, Ask("/").message) == nil)
  }

  @Test func `with a length beyond their end are refused`() throws {
    let device = try DeviceBench.opened()
    let whole = Ask("/1/").message
    #expect(device.perform(.respond, whole) != nil)
    for length in whole.indices { #expect(device.perform(.respond, Array(whole.prefix(length))) == nil) }
  }

  @Test func `are answered by a page`() throws {
    let device = try DeviceBench.opened()
    let reply = try #require(device.perform(.respond, Ask("/1/").message))
    #expect(reply.starts(with: [200, 0, 0, 0, 0]))
    #expect(String(decoding: reply, as: UTF8.self).contains("<h1><bdi>Barrel</bdi></h1>"))
  }

  @Test func `note nothing of a stranger, and say when a form has changed the library`() throws {
    let device = try DeviceBench.opened()
    let looking = try #require(device.perform(.respond, Ask("/1/").message))
    #expect(looking[4] == 0)
    let form = try #require(device.perform(.respond, Ask("/favorites/set", form: "comic=1&on=yes").message))
    #expect(form.starts(with: [47, 1, 0, 0, 1]), "303, and the library has changed")
    let lookingAgain = try #require(device.perform(.respond, Ask("/1/").message))
    #expect(lookingAgain[4] == 1, "what is viewed counts as read now")
  }

  @Test func `keep a library whole`() throws {
    let device = try DeviceBench.opened()
    _ = device.perform(.respond, Ask("/favorites/set", form: "comic=1&on=yes").message)
    let stored = try #require(device.perform(.save))
    let later = try DeviceBench.opened()
    #expect(later.perform(.load, stored) == [])
    #expect(later.perform(.save) == stored)
    #expect(later.perform(.facts) == device.perform(.facts))
    #expect(later.perform(.load, [1, 2, 3]) == nil)
    #expect(later.perform(.save) == stored, "what is no library takes nobody's place")
  }

  @Test func `say where there may be more`() throws {
    let device = try DeviceBench.opened()
    let paths = [("/1/", false), ("/9/", true), ("/nothing/here", true), ("/x", true), ("/404/", false)]
    for (path, isUnknown) in paths {
      let reply = try #require(device.perform(.respond, Ask(path).message))
      #expect(reply[4] & 2 == (isUnknown ? 2 : 0), "\(path)")
    }
  }

  @Test func `tell of no connection`() throws {
    let device = try DeviceBench.opened()
    let reply = try #require(device.perform(.respond, Ask("/1/", isOffline: true).message))
    #expect(String(decoding: reply, as: UTF8.self).contains("No connection."))
  }

  @Test func `show the beginning of an explanation that the host hands in as it is`() throws {
    let device = try DeviceBench.opened()
    let asking = try #require(device.perform(.respond, Ask("/1/").message))
    #expect(asking.starts(with: [200, 0, 0, 0, 0, 2, 0, 0, 0, 2, 1, 0, 0, 0, 4, 1, 0, 0, 0]))
    var writer = MessageWriter()
    writer.append32(1)
    let html = Array("<p>The <em>beginning</em>.</p>".utf8)
    writer.append32(html.count)
    writer.append(html)
    let whole = Ask("/1/", explanations: [writer.bytes]).message
    let answered = try #require(device.perform(.respond, whole))
    #expect(
      answered.starts(with: [200, 0, 0, 0, 0, 1, 0, 0, 0, 2]),
      "only the facts of the picture are lacking"
    )
    #expect(String(decoding: answered, as: UTF8.self).contains("<p>The <em>beginning</em>.</p>"))
    for length in whole.indices { #expect(device.perform(.respond, Array(whole.prefix(length))) == nil) }
    let elsewhere = try #require(device.perform(.respond, Ask("/1/explanation").message))
    #expect(elsewhere[4] & 2 == 2, "the whole is the server's to show")
  }

  @Test func `list pictures, the newest first`() throws {
    let device = try DeviceBench.opened()
    let everything = try #require(device.perform(.pictures, [2]))
    #expect(everything.count == 12 * 3)
    #expect(everything[0] == 3 && everything[12] == 2 && everything[24] == 1)
    #expect(device.perform(.pictures, [1]) == [])
  }
}
