// Longbox
// SPDX-License-Identifier: MIT

import Hummingbird
import LongboxReaders
import NIOCore
import Synchronization

/// Counts the bytes of responses that wait for their clients, and limits them.
///
/// Connections are limited in number, but 64 that ask for a long page and don't read would hold 64 copies of it. A
/// response counts whole until its last byte is with the connection; one that would be too much isn't begun. Short ones
/// don't count: a connection holds only one of them.
final class UnsentBytes: Sendable {
  /// A response's share, which ends when nothing refers to it any more.
  final class Share: Sendable {
    private let counter: UnsentBytes
    private let bytes: Bytes

    fileprivate init(_ counter: UnsentBytes, _ bytes: Bytes) {
      self.counter = counter
      self.bytes = bytes
    }

    deinit { counter.table.withLock { $0.remove(bytes) } }
  }

  fileprivate struct Bytes {
    var count: Int
    var client: ClientAddress
    var name: String?
  }

  private struct Table {
    private struct Shared: Hashable {
      var name: String
      /// The address that holds the bytes; nil for all together.
      var client: ClientAddress?
    }

    private(set) var total = 0
    private(set) var ofClient: [ClientAddress: Int] = [:]
    /// How many responses share the bytes with a name.
    private var holders: [Shared: Int] = [:]

    /// Whether bytes with a name are counted already.
    func has(_ name: String?, _ client: ClientAddress? = nil) -> Bool {
      name.map { holders[Shared(name: $0, client: client)] != nil } ?? false
    }

    mutating func add(_ bytes: Bytes) {
      if hold(bytes.name, nil) { total += bytes.count }
      if hold(bytes.name, bytes.client) { ofClient[bytes.client, default: 0] += bytes.count }
    }

    mutating func remove(_ bytes: Bytes) {
      if drop(bytes.name, nil) { total -= bytes.count }
      guard drop(bytes.name, bytes.client) else { return }
      let rest = (ofClient[bytes.client] ?? 0) - bytes.count
      ofClient[bytes.client] = rest > 0 ? rest : nil
    }

    /// Returns whether the holder is the first one.
    private mutating func hold(_ name: String?, _ client: ClientAddress?) -> Bool {
      guard let name else { return true }
      holders[Shared(name: name, client: client), default: 0] += 1
      return holders[Shared(name: name, client: client)] == 1
    }

    /// Returns whether the holder was the last one.
    private mutating func drop(_ name: String?, _ client: ClientAddress?) -> Bool {
      guard let name else { return true }
      let shared = Shared(name: name, client: client)
      let rest = (holders[shared] ?? 0) - 1
      holders[shared] = rest > 0 ? rest : nil
      return rest <= 0
    }
  }

  /// The maximum length of a response that doesn't count, in bytes.
  static let short = ResponseBytes.portion

  private let limit: Int
  private let limitOfClient: Int
  private let incidents: IncidentLog
  private let table = Mutex(Table())

  /// - Parameters:
  ///   - limit: the maximum number of bytes in all.
  ///   - limitOfClient: the maximum number of one address.
  ///   - incidents: logs what is refused.
  init(limit: Int, limitOfClient: Int, incidents: IncidentLog) {
    self.limit = limit
    self.limitOfClient = limitOfClient
    self.incidents = incidents
  }

  /// The bytes that wait at present.
  var total: Int { table.withLock { $0.total } }

  /// Counts a response.
  ///
  /// One response is always allowed, however long it is, if none waits for its address and none in all.
  /// - Parameters:
  ///   - count: its length in bytes.
  ///   - client: the address that it is for.
  ///   - name: the same for responses that share their bytes in memory, which count once; nil if this response has its
  ///     own.
  /// - Returns: nil if it would be too much, so that it must not be begun.
  func share(_ count: Int, for client: ClientAddress, of name: String? = nil) -> Share? {
    let bytes = Bytes(count: count, client: client, name: name)
    let isAllowed = table.withLock { table in
      let ofClient = table.ofClient[client] ?? 0
      guard table.has(name, client) || ofClient == 0 || count <= limitOfClient - ofClient,
        table.has(name) || table.total == 0 || count <= limit - table.total
      else { return false }
      table.add(bytes)
      return true
    }
    guard isAllowed else {
      incidents.note(.unsentBytes, "\(client)")
      return nil
    }
    return Share(self, bytes)
  }

  /// Counts a long response of the application, and sends it in portions.
  /// - Throws: `HTTPError` with status 503 while too many bytes wait.
  func limit(_ response: Response, for client: ClientAddress, on eventLoop: any EventLoop) throws -> Response
  {
    let body = response.body
    // A body of unknown length isn't in memory as a whole.
    guard let count = body.contentLength, count > Self.short else { return response }
    guard let share = share(count, for: client) else {
      throw HTTPError(
        .serviceUnavailable,
        headers: [.retryAfter: "5"],
        message: "Several long pages or files are being sent to you. Try again in a few seconds."
      )
    }
    var response = response
    response.body = ResponseBody(contentLength: count) { writer in
      try await body.write(PortionWriter(writer: writer, eventLoop: eventLoop))
      withExtendedLifetime(share) {}
    }
    return response
  }
}

/// Writes long buffers in portions, each when the connection has room for it.
struct PortionWriter: ResponseBodyWriter {
  var writer: any ResponseBodyWriter
  let eventLoop: any EventLoop

  mutating func write(_ buffer: ByteBuffer) async throws {
    try await write(ResponseBytes(buffer))
  }

  mutating func write(_ bytes: ResponseBytes) async throws {
    var rest = bytes
    while let portion = rest.next() {
      try await writer.write(portion)
      // The writer learns on the event loop that the connection has no room. Until then it takes everything.
      try await eventLoop.submit {}.get()
    }
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
    try await writer.finish(trailingHeaders)
  }
}

/// The bytes of a response, to be sent in portions.
///
/// All responses with the same bytes share their memory; only the portion that is being sent is a copy.
struct ResponseBytes: Sendable {
  private enum Rest {
    case buffer(ByteBuffer)
    case array(ArraySlice<UInt8>)
  }

  /// The length of a portion, in bytes.
  static let portion = 128 << 10

  private var rest: Rest

  init(_ buffer: ByteBuffer) {
    rest = .buffer(buffer)
  }

  init(_ bytes: ArraySlice<UInt8>) {
    rest = .array(bytes)
  }

  /// The number of bytes that are left.
  var count: Int {
    switch rest {
    case .buffer(let buffer): buffer.readableBytes
    case .array(let bytes): bytes.count
    }
  }

  /// Removes the next portion; nil if nothing is left.
  mutating func next() -> ByteBuffer? {
    switch rest {
    case .buffer(var buffer):
      guard let part = buffer.readSlice(length: min(buffer.readableBytes, Self.portion)),
        part.readableBytes > 0
      else { return nil }
      rest = .buffer(buffer)
      return part
    case .array(let bytes):
      let part = bytes.prefix(Self.portion)
      guard !part.isEmpty else { return nil }
      rest = .array(bytes.dropFirst(part.count))
      return ByteBuffer(bytes: part)
    }
  }
}
