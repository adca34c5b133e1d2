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
  let floods: FloodLog
  /// Makes the handlers of a connection between the HTTP decoder and the application.
  let handlers: @Sendable (ConnectionMonitor) -> [any ChannelHandler]
  private let fairQueues = FairQueues()

  init(
    responder: @escaping Responder,
    limits: Limits,
    registry: ConnectionRegistry,
    floods: FloodLog,
    handlers: @escaping @Sendable (ConnectionMonitor) -> [any ChannelHandler]
  ) {
    self.responder = responder
    self.limits = limits
    self.registry = registry
    self.floods = floods
    self.handlers = handlers
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
      floods: floods,
      fairQueue: fairQueues.queue(of: channel.eventLoop),
      at: channel.eventLoop.now
    )
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(ByteGate(monitor))
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
    try pipeline.addHandlers(handlers(monitor))
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

/// Closes its connection at once.
private final class RefusedConnection: ChannelInboundHandler {
  typealias InboundIn = Any

  func channelActive(context: ChannelHandlerContext) {
    context.fireChannelActive()
    context.close(promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {}
}

/// Makes the handlers of a connection between the HTTP decoder and the application.
struct RequestHandlers: Sendable {
  let endpoints: EndpointTable
  let limits: Limits
  let basePath: BasePath
  let forwarding: Forwarding
  let accessLog: AccessLog?
  let metrics: RequestMetrics?
  let now: @Sendable () -> Date

  /// The handlers of a connection, in the order in which a request passes them.
  func make(for monitor: ConnectionMonitor) -> [any ChannelHandler] {
    let logging = accessLog.map { AccessLogHandler($0, now: now) }
    let cached = metrics.map { _ in CachedRouteNumber() }
    let counting = metrics.flatMap { metrics in
      cached.map { MetricsHandler(metrics, cached: $0) { endpoints.entry(at: URI($0).path)?.number } }
    }
    let handlers: [(any ChannelHandler)?] = [
      ForwardingHandler(forwarding, floods: endpoints.floods),
      basePath.isEmpty ? nil : BasePathHandler(basePath),
      logging,
      counting,
      RequestGuard(
        addressLimit: limits.addressLength,
        hosts: endpoints.gate.hosts,
        peer: monitor.registered.address,
        floods: endpoints.floods,
        // ``RequestTracker`` has counted the incoming one.
        earlierRequests: { monitor.deadlines.requestsInProgress - 1 },
        bodyLimit: { endpoints.bodyLimit(of: $0) }
      ),
      CachedResponseHandler(now: now, fairQueue: monitor.fairQueue, unsent: endpoints.unsent) {
        request,
        client in
        guard let (response, route) = endpoints.cachedResponse(to: request, from: client) else {
          return nil
        }
        cached?.number = route
        return response
      },
    ]
    return handlers.compactMap { $0 }
  }
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
