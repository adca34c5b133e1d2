// Longbox
// SPDX-License-Identifier: MIT

import NIOCore

/// Guards a connection before the HTTP decoder: holds back requests while too many are unanswered, and closes the
/// connection when it misses a deadline.
///
/// With TLS it comes after the decryption.
final class ByteGate: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  /// A read up to this long is usually one request, and passed on whole.
  private static let shortRead = 1 << 10
  /// How many bytes of a longer read are passed on before the gate checks its limits again: ten short requests.
  private static let portion = 256
  /// The same within a body, which is usually long.
  private static let bodyPortion = 8 << 10
  /// The maximum number of bytes that are held back, in case the system hands over everything before a half-close.
  private static let mostHeld = 256 << 10

  /// What is held back, in the order in which it is passed on: bytes, the end of the client's side, a read.
  private struct Held {
    var bytes = ByteBuffer()
    /// Whether the client has closed its side after the bytes.
    var isInputClosed = false
    /// Whether a read was requested.
    var isRead = false

    var hasBytes: Bool { bytes.readableBytes > 0 }

    /// Removes the next portion of the bytes.
    mutating func next(upTo portion: Int) -> ByteBuffer {
      if portion < bytes.readableBytes, let part = bytes.readSlice(length: portion) { return part }
      defer { bytes = ByteBuffer() }
      return bytes
    }
  }

  private let monitor: ConnectionMonitor
  private let interval: TimeAmount
  private var context: ChannelHandlerContext?
  private var timer: RepeatedTask?
  private var held = Held() {
    didSet { monitor.isHolding = held.isRead || held.hasBytes }
  }
  /// Whether the system was asked for bytes and none came yet.
  private var isReading = false
  private var isPassing = false

  /// Creates a gate for one connection.
  init(_ monitor: ConnectionMonitor) {
    self.monitor = monitor
    let shortest = min(monitor.limits.headTime, monitor.limits.stallTime, monitor.limits.crowdedIdleTime)
    interval = TimeAmount(min(.seconds(1), shortest / 4))
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    monitor.resume = { [weak self] in self?.resume() }
    timer = context.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
      bound.value.check()
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    timer?.cancel()
    timer = nil
    monitor.resume = {}
    self.context = nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    isReading = false
    var bytes = unwrapInboundIn(data)
    guard !monitor.isStopping || monitor.deadlines.isReceivingBody else { return }
    guard !held.hasBytes, !isPassing else {
      held.bytes.writeBuffer(&bytes)
      return limitHeld(context)
    }
    if bytes.readableBytes <= max(Self.shortRead, portion), !isClosed(context) {
      monitor.deadlines.bytesArrived(at: context.eventLoop.now)
      return context.fireChannelRead(data)
    }
    held.bytes = bytes
    pass(context)
    limitHeld(context)
  }

  func read(context: ChannelHandlerContext) {
    guard !held.hasBytes, !isClosed(context) else {
      held.isRead = true
      return
    }
    isReading = true
    context.read()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    context.fireChannelWritabilityChanged()
    if context.channel.isWritable { resume() }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    monitor.written += unwrapOutboundIn(data).readableBytes
    context.write(data, promise: promise)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is ChannelShouldQuiesceEvent: stop(context)
    case let event as ChannelEvent where event == .inputClosed && held.hasBytes:
      held.isInputClosed = true
      return
    default: break
    }
    context.fireUserInboundEventTriggered(event)
  }

  private var portion: Int { monitor.deadlines.isReceivingBody ? Self.bodyPortion : Self.portion }

  /// Whether bytes must wait at present.
  private func isClosed(_ context: ChannelHandlerContext) -> Bool {
    monitor.hasEnoughRequests || !context.channel.isWritable
  }

  /// Passes on what waits, in portions.
  private func pass(_ context: ChannelHandlerContext) {
    guard !isPassing else { return }
    isPassing = true
    defer { isPassing = false }
    while held.hasBytes, !isClosed(context) {
      monitor.deadlines.bytesArrived(at: context.eventLoop.now)
      context.fireChannelRead(wrapInboundOut(held.next(upTo: portion)))
    }
  }

  /// Passes on what was held back, and reads again.
  private func resume() {
    guard let context, !isPassing, !isClosed(context) else { return }
    if held.hasBytes {
      pass(context)
      context.fireChannelReadComplete()
    }
    guard !held.hasBytes else { return }
    if held.isInputClosed {
      held.isInputClosed = false
      context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }
    if held.isRead, !isClosed(context) {
      held.isRead = false
      isReading = true
      context.read()
    }
  }

  private func limitHeld(_ context: ChannelHandlerContext) {
    guard held.bytes.readableBytes > Self.mostHeld else { return }
    close(context, .tooManyRequests)
  }

  private func check() {
    guard let context else { return }
    let now = context.eventLoop.now
    let unsent = unsent(context)
    let missed = monitor.deadlines.check(
      at: now,
      written: monitor.written,
      waiting: unsent,
      isReading: isReading,
      idleTime: monitor.idleTime
    )
    if let missed { return close(context, missed.incident) }
    if monitor.deadlines.requestsInProgress > 0 {
      monitor.registered.noteBusy(at: monitor.deadlines.lastProgress)
    }
    if monitor.isStopping, monitor.deadlines.requestsInProgress == 0, unsent == 0 {
      context.close(promise: nil)
    }
  }

  /// The bytes that the system has not taken yet.
  private func unsent(_ context: ChannelHandlerContext) -> Int {
    (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
  }

  private func close(_ context: ChannelHandlerContext, _ incident: Incident?) {
    if let incident { monitor.incidents.note(incident, "\(monitor.registered.address)") }
    context.close(promise: nil)
  }

  /// Ends the connection when its requests are answered, or after the time for that.
  private func stop(_ context: ChannelHandlerContext) {
    guard !monitor.isStopping else { return }
    monitor.isStopping = true
    if !monitor.deadlines.isReceivingBody { held.bytes = ByteBuffer() }
    guard monitor.deadlines.requestsInProgress > 0 || unsent(context) > 0 else {
      return context.close(promise: nil)
    }
    let channel = context.channel
    context.eventLoop.scheduleTask(in: TimeAmount(monitor.limits.stopTime)) { channel.close(promise: nil) }
  }
}

/// Delays closing, after the application has closed its output, until the system has taken all sent bytes.
///
/// NIO would drop the rest if the client has closed its side. The application closes its output first, and then the
/// connection. It comes after the ``ByteGate``, whose closes are at once: a client that doesn't read can be cut off.
final class CloseAfterOutput: ChannelOutboundHandler {
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  /// Set when the application closes its output; completes when the system has taken all bytes.
  private var allSent: EventLoopFuture<Void>?

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    if mode == .output {
      let sent = context.eventLoop.makePromise(of: Void.self)
      allSent = sent.futureResult
      context.writeAndFlush(wrapOutboundOut(.byteBuffer(ByteBuffer())), promise: sent)
    }
    guard let allSent else { return context.close(mode: mode, promise: promise) }
    if mode == .all { self.allSent = nil }
    allSent.assumeIsolated().whenComplete { _ in context.close(mode: mode, promise: promise) }
  }
}
