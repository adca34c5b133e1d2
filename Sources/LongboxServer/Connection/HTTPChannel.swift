// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import HummingbirdCore
import Logging
import LongboxReaders
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Sets up the connections of the server: counts them, limits them, and adds HTTP.
///
/// Hummingbird's `HTTP1Channel` has no place before its HTTP decoder, where the limits belong.
struct HTTPChannel: HTTPChannelHandler {
  typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

  /// The maximum number of bytes of one read.
  private static let longestRead = 16 << 10
  /// The maximum number of unsent bytes that the system buffers for a connection; its default is megabytes.
  private static let mostUnsent = 128 << 10

  let responder: Responder
  let limits: Limits
  let registry: ConnectionRegistry
  let gate: RequestGate
  /// Nil if there is no access log.
  let accessLog: AccessLog?
  /// Nil if metrics are off.
  let metrics: RequestMetrics?
  /// The time, for `Date` headers and the access log.
  let now: @Sendable () -> Date
  private let fairQueues = FairQueues()

  private var endpoints: EndpointTable { gate.endpoints }

  init(
    responder: @escaping Responder,
    limits: Limits,
    registry: ConnectionRegistry,
    gate: RequestGate,
    accessLog: AccessLog?,
    metrics: RequestMetrics?,
    now: @escaping @Sendable () -> Date
  ) {
    self.responder = responder
    self.limits = limits
    self.registry = registry
    self.gate = gate
    self.accessLog = accessLog
    self.metrics = metrics
    self.now = now
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    channel.eventLoop.makeCompletedFuture {
      guard let connection = try admit(channel) else { return try refuse(channel) }
      return try addHTTP(to: channel, connection, isSecure: false)
    }
  }

  func handle(value: Value, logger: Logger) async {
    await handleHTTP(asyncChannel: value, logger: logger)
  }

  /// Counts a new connection.
  ///
  /// It comes first, before anything waits for the client. It must run on the connection's event loop.
  /// - Returns: the connection; nil if there are too many, so that it must be refused.
  func admit(_ channel: any Channel) throws -> RegisteredConnection? {
    // One read at a time, so that no client makes the server hold much.
    try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
    try channel.syncOptions?.setOption(
      .recvAllocator,
      value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 2048, maximum: Self.longestRead)
    )
    #if os(Linux)
    let unsent = ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: TCP_NOTSENT_LOWAT))
    try channel.syncOptions?.setOption(unsent, value: .init(Self.mostUnsent))
    #endif
    return registry.admit(channel, of: ClientAddress(channel.remoteAddress), at: channel.eventLoop.now)
  }

  /// Adds HTTP and the limits at the end of a connection's handlers.
  ///
  /// Before it, the bytes must be decrypted. It must run on the connection's event loop.
  /// - Parameters:
  ///   - channel: the connection.
  ///   - connection: what ``admit(_:)`` returned.
  ///   - isSecure: whether the connection is encrypted.
  func addHTTP(to channel: any Channel, _ connection: RegisteredConnection, isSecure: Bool) throws -> Value {
    let monitor = ConnectionMonitor(
      connection,
      in: registry,
      limits: limits,
      incidents: endpoints.incidents,
      fairQueue: fairQueues.queue(of: channel.eventLoop),
      at: channel.eventLoop.now
    )
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(ByteGate(monitor))
    try pipeline.addHandler(CloseAfterOutput())
    var decoder = NIOHTTPDecoderLimitConfiguration()
    decoder.maxHeaderFieldSize = limits.headerLength
    decoder.maxHeaderListSize = limits.headerLength
    decoder.maxHeaderFieldCount = 100
    try pipeline.configureHTTPServerPipeline(
      withPipeliningAssistance: false,
      withErrorHandling: false,
      withOutboundHeaderValidation: false,
      withEncoderConfiguration: HTTPResponseEncoder.Configuration(),
      withDecoderLimitConfiguration: decoder
    )
    // ``RequestTracker`` hasn't counted the incoming request yet.
    try pipeline.addHandler(LastRequestHandler { monitor.deadlines.requestsInProgress })
    try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: isSecure))
    try pipeline.addHandler(RequestTracker(monitor))
    try pipeline.addHandler(RequestGateHandler(gate))
    let recorder = accessLog == nil && metrics == nil ? nil : RequestRecorder(accessLog, metrics, now: now)
    if let recorder { try pipeline.addHandler(recorder) }
    // ``RequestTracker`` has counted the incoming request here.
    let guarding = RequestGuard(incidents: endpoints.incidents) { monitor.deadlines.requestsInProgress - 1 }
    try pipeline.addHandler(guarding)
    let memory = CachedResponseHandler(now: now, fairQueue: monitor.fairQueue, unsent: endpoints.unsent) {
      [endpoints] request in
      guard let response = endpoints.cachedResponse(to: request) else { return nil }
      recorder?.noteFromMemory()
      return response
    }
    try pipeline.addHandler(memory)
    return try Self.wrap(channel)
  }

  /// Sets up a connection to be closed as soon as it is active.
  func refuse(_ channel: any Channel) throws -> Value {
    try channel.pipeline.syncOperations.addHandler(RefusedConnection())
    return try Self.wrap(channel)
  }

  private static func wrap(_ channel: any Channel) throws -> Value {
    try NIOAsyncChannel(
      wrappingChannelSynchronously: channel,
      configuration: .init(isOutboundHalfClosureEnabled: true)
    )
  }
}

/// Ends a connection after the response to a request that asks for it: one with `Connection: close`, or of HTTP/1.0
/// (RFC 9112, section 9.3).
///
/// It comes before the types without a version. What follows it closes for exactly `Connection: close`, so such a
/// request gets that header. A client of HTTP/1.0 gets a response without chunks, which it couldn't read.
final class LastRequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private enum State {
    case open
    /// The last request has come; so many earlier ones have no complete response.
    case ending(isOld: Bool, earlier: Int)
  }

  private var state = State.open
  /// Whether the last request is complete, so that anything more is ignored.
  private var isComplete = false
  private let earlierRequests: () -> Int

  /// Creates a handler for one connection.
  /// - Parameter earlierRequests: the number of requests before the incoming one whose response is incomplete.
  init(earlierRequests: @escaping () -> Int) {
    self.earlierRequests = earlierRequests
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isComplete else { return }
    switch (unwrapInboundIn(data), state) {
    case (.head(var head), .open):
      let isOld = (head.version.major, head.version.minor) < (1, 1)
      guard isOld || Self.asksToClose(head.headers) else { return context.fireChannelRead(data) }
      state = .ending(isOld: isOld, earlier: earlierRequests())
      head.headers.replaceOrAdd(name: "connection", value: "close")
      context.fireChannelRead(wrapInboundOut(.head(head)))
    case (.end, .ending):
      isComplete = true
      context.fireChannelRead(data)
    default: context.fireChannelRead(data)
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .ending(let isOld, let earlier) = state else { return context.write(data, promise: promise) }
    switch unwrapOutboundIn(data) {
    case .head(var head) where earlier == 0:
      head.headers.replaceOrAdd(name: "connection", value: "close")
      if isOld { head.version = .http1_0 }
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .end where earlier > 0:
      state = .ending(isOld: isOld, earlier: earlier - 1)
      context.write(data, promise: promise)
    default: context.write(data, promise: promise)
    }
  }

  private static func asksToClose(_ headers: HTTPHeaders) -> Bool {
    headers[canonicalForm: "connection"].contains { $0.lowercased() == "close" }
  }
}

/// Closes its connection at once.
private final class RefusedConnection: ChannelInboundHandler {
  typealias InboundIn = Any

  func channelActive(context: ChannelHandlerContext) {
    context.fireChannelActive()
    context.close(promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {}
}

/// Accepts no connections for a second when the process can open no more files.
///
/// Without it, NIO tries again at once and keeps a processor busy: its `AcceptBackoffHandler` delays only reads that
/// begin after the error, but the one that failed is still pending.
final class AcceptPause: ChannelInboundHandler, Sendable {
  typealias InboundIn = any Channel

  private static let pause = TimeAmount.seconds(1)

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? IOError, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode) {
      let channel = context.channel
      channel.setOption(.autoRead, value: false).whenComplete { _ in }
      context.eventLoop.scheduleTask(in: Self.pause) {
        channel.setOption(.autoRead, value: true).whenComplete { _ in }
      }
    }
    context.fireErrorCaught(error)
  }
}
