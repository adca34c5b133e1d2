// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import NIOCore
import NIOEmbedded
import Testing

@testable import LongboxServer

@Suite struct `Accepting connections` {
  /// What the handler last set, without which NIO would try again at once.
  private func readsAutomatically(_ channel: EmbeddedChannel) -> Bool? {
    channel.options.last { $0.option is ChannelOptions.Types.AutoReadOption }?.value as? Bool
  }

  @Test(arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM])
  func `pauses for a second if the process can open no more files`(code: Int32) throws {
    let channel = EmbeddedChannel(handler: AcceptPause())
    let error = IOError(errnoCode: code, reason: "accept")
    channel.pipeline.fireErrorCaught(error)
    #expect(throws: IOError.self) { try channel.throwIfErrorCaught() }
    channel.embeddedEventLoop.run()
    #expect(readsAutomatically(channel) == false)
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(999))
    #expect(readsAutomatically(channel) == false)
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
    #expect(readsAutomatically(channel) == true)
  }

  @Test func `goes on after another error`() throws {
    let channel = EmbeddedChannel(handler: AcceptPause())
    channel.pipeline.fireErrorCaught(IOError(errnoCode: ECONNABORTED, reason: "accept"))
    #expect(throws: IOError.self) { try channel.throwIfErrorCaught() }
    channel.embeddedEventLoop.advanceTime(by: .seconds(2))
    #expect(readsAutomatically(channel) == nil)
  }
}
