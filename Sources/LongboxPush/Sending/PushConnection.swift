// Longbox
// SPDX-License-Identifier: MIT

import NIOCore
import NIOHTTP1

/// A connection to a push service, which sends one message at a time (HTTP/1.1, RFC 9112).
///
/// Use it only on its event loop.
final class PushConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  /// A request without a complete answer.
  private struct Exchange {
    let request: PushRequest
    let start: NIODeadline
    var reply: PushReply?
  }

  /// The pool; nil after it was released.
  private weak var owner: PushConnections?
  private var context: ChannelHandlerContext?
  private var exchange: Exchange?

  init(of owner: PushConnections) {
    self.owner = owner
  }

  /// The start of the request in progress; nil if idle.
  var busySince: NIODeadline? { exchange?.start }

  /// Sends a message; call only when idle.
  func send(_ request: PushRequest) {
    guard let context else { return }
    exchange = Exchange(request: request, start: .now())
    context.write(wrapOutboundOut(.head(request.head)), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(request.body))), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }

  /// Ends the wait for a late answer; a status that has already arrived decides the result.
  func giveUp() {
    end(.late)
  }

  func close() {
    owner?.closing(self)
    context?.close(promise: nil)
  }

  func channelActive(context: ChannelHandlerContext) {
    // The pool was closed while connecting.
    guard let owner else { return context.close(promise: nil) }
    self.context = context
    owner.opened(self)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      // Close on an unsolicited answer.
      guard exchange != nil, exchange?.reply == nil else { return close() }
      exchange?.reply = PushReply(head)
    case .body(let part):
      if exchange?.reply?.take(part) == false { end(.tooLong) }
    case .end:
      end(.whole)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    end(.broken("\(error)"))
  }

  func channelInactive(context: ChannelHandlerContext) {
    end(.broken("the connection was closed"))
    self.context = nil
    owner?.closed(self)
  }

  private enum Ending {
    case whole
    case tooLong
    case late
    case broken(String)
  }

  private func end(_ ending: Ending) {
    guard let exchange, let owner else {
      if case .whole = ending { return }
      return close()
    }
    self.exchange = nil
    let outcome: DeliveryResult.Outcome
    var isUsable = false
    switch (ending, exchange.reply) {
    case (.whole, let reply?):
      outcome = reply.outcome(isWhole: true, now: owner.now())
      isUsable = reply.head.isKeepAlive
    case (_, let reply?): outcome = reply.outcome(isWhole: false, now: owner.now())
    case (.late, nil): outcome = .unanswered(reason: "The push service did not answer in time.")
    case (.broken(let reason), nil): outcome = .unreachable(reason)
    case (.whole, nil), (.tooLong, nil): outcome = .unreachable("it answers out of turn")
    }
    exchange.request.completion(outcome)
    if isUsable { owner.freed(self) } else { close() }
  }
}

extension DeliveryResult.Outcome {
  static func unreachable(_ reason: String) -> DeliveryResult.Outcome {
    .unanswered(reason: "The push service can’t be reached: \(reason.prefix(160))")
  }
}
