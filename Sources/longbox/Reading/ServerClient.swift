// Longbox
// SPDX-License-Identifier: MIT

import AsyncHTTPClient
import Foundation
import LongboxServer
import LongboxStore
import LongboxUpstream
import NIOCore
import NIOHTTP1
import NIOPosix

extension ServerClient {
  /// A client of the server that runs on a data folder, with the proof that its own user asks; nil if none runs there.
  init?(of data: URL) {
    guard let server = ServerAddress(of: data) else { return nil }
    self.init(server: server)
    if let bytes = try? PrivateFile.read(Self.keyFile(in: data)), bytes.count <= 64 {
      machineKey = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }
}

/// The address of another Longbox, or of the server that runs on this machine's data folder.
struct ServerAddress: Equatable, Sendable {
  /// The file in which a server notes its address, while it runs.
  static let fileName = "server.address"

  let address: WebAddress

  /// Reads an address such as `https://comics.example.org/longbox`.
  /// - Throws: `ReaderError.usage`.
  init(_ text: String) throws {
    let plain = text.hasSuffix("/") ? String(text.dropLast()) : text
    guard let address = WebAddress(plain), !address.target.contains("?") else {
      throw ReaderError.usage(
        "“\(text)” is not the address of a Longbox. Write it as https://comics.example.org."
      )
    }
    self.address = address
  }

  /// The address that a running server has noted in its data folder; nil if there is none.
  init?(of data: URL) {
    guard let bytes = try? PrivateFile.read(Self.file(in: data)), bytes.count <= 2048
    else {
      return nil
    }
    let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    try? self.init(text)
  }

  static func file(in data: URL) -> URL { data.appending(path: fileName, directoryHint: .notDirectory) }

  /// The address by which this machine reaches a server; a server that listens everywhere also listens on loopback.
  static func onThisMachine(_ address: String) -> String {
    ["://0.0.0.0:", "://[::]:"].reduce(address) {
      $0.replacingOccurrences(of: $1, with: "://127.0.0.1:")
    }
  }

  /// The base path without a slash at its end: empty, or `/longbox`.
  var path: String { address.target == "/" ? "" : address.target }

  /// The address of something below it.
  func url(_ target: String) -> String { address.origin.description + path + target }

  var isSecure: Bool { address.origin.scheme == .https }

  /// Scheme, host and port, as in the `Origin` of a form.
  var origin: String { address.origin.description }

  /// The name of this server's cache folder: letters, digits, dots and underscores.
  var folderName: String {
    (origin + path).map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? String($0) : "_" }
      .joined()
  }
}

/// An HTTP client of another Longbox, or of the server that runs on this machine.
struct ServerClient: Sendable {
  struct Response: Sendable {
    let status: Int
    let body: [UInt8]
    /// The cookies that the server sets, by name.
    let cookies: [String: String]
  }

  /// Maximum wait for a whole response.
  static let timeout = TimeAmount.seconds(30)
  /// The longest response in bytes: the archive and the index of explanations have some megabytes.
  static let mostBytes = 128 << 20

  let server: ServerAddress
  /// The cookies to send: the library's and the session's.
  var cookies: [String: String] = [:]
  /// Proves to the server on this machine that its own user asks; nil for other servers.
  var machineKey: String?

  /// Asks for something.
  /// - Parameters:
  ///   - target: path and query below the base path.
  ///   - progress: called with the bytes so far, and the total if it is known.
  /// - Throws: `ReaderError`.
  func get(
    _ target: String,
    progress: @Sendable (Int, Int) -> Void = { _, _ in }
  ) async throws -> Response {
    try await send(.GET, target, nil, type: nil, progress)
  }

  /// Sends something, as a page of the server would.
  /// - Throws: `ReaderError`.
  func post(_ target: String, _ body: [UInt8], type: String) async throws -> Response {
    try await send(.POST, target, body, type: type) { _, _ in }
  }

  private func send(
    _ method: HTTPMethod,
    _ target: String,
    _ body: [UInt8]?,
    type: String?,
    _ progress: @Sendable (Int, Int) -> Void
  ) async throws -> Response {
    var configuration = HTTPClient.Configuration()
    configuration.redirectConfiguration = .disallow
    configuration.timeout.connect = .seconds(5)
    configuration.timeout.read = .seconds(15)
    let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    let outcome: Result<Response, any Error>
    do {
      outcome = .success(try await execute(request(method, target, body, type: type), over: client, progress))
    } catch {
      outcome = .failure(error)
    }
    try? await client.shutdown()
    do {
      return try outcome.get()
    } catch let error as ReaderError {
      throw error
    } catch {
      throw ReaderError.unavailable(
        "\(server) doesn’t answer (\(Self.reason(error))). Check the address, and whether Longbox runs there."
      )
    }
  }

  private func request(_ method: HTTPMethod, _ target: String, _ body: [UInt8]?, type: String?)
    -> HTTPClientRequest
  {
    var request = HTTPClientRequest(url: server.url(target))
    request.method = method
    request.headers.add(name: "User-Agent", value: "Longbox/\(Longbox.version) (terminal)")
    if !cookies.isEmpty {
      let pairs = cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      request.headers.add(name: "Cookie", value: pairs.joined(separator: "; "))
    }
    if let machineKey { request.headers.add(name: MachineKeyField.name, value: machineKey) }
    if let body {
      request.headers.add(name: "Origin", value: server.origin)
      request.body = .bytes(body)
    }
    if let type { request.headers.add(name: "Content-Type", value: type) }
    return request
  }

  private func execute(
    _ request: HTTPClientRequest,
    over client: HTTPClient,
    _ progress: @Sendable (Int, Int) -> Void
  ) async throws -> Response {
    let response = try await client.execute(request, timeout: Self.timeout)
    let total = response.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
    var body: [UInt8] = []
    for try await part in response.body {
      body += part.readableBytesView
      guard body.count <= Self.mostBytes else {
        throw ReaderError.malformed("\(server) sent more than 128 MB, so it can't be a Longbox server.")
      }
      progress(body.count, total)
    }
    if response.status == .unauthorized { throw ReaderError.signIn(server: server.description) }
    if response.status == .temporaryRedirect, let location = response.headers.first(name: "Location"),
      location.hasPrefix("https:")
    {
      throw ReaderError.unavailable("\(server) is reached by https: write https in the address.")
    }
    return Response(
      status: Int(response.status.code),
      body: body,
      cookies: Self.cookies(in: response.headers[canonicalForm: "Set-Cookie"].map(String.init))
    )
  }

  private static func cookies(in fields: [String]) -> [String: String] {
    var cookies: [String: String] = [:]
    for field in fields {
      let pair = field.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
      if pair.count == 2 { cookies[String(pair[0])] = String(pair[1]) }
    }
    return cookies
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case let error as HTTPClientError: error.shortDescription.lowercased()
    case let error as IOError: String(cString: strerror(error.errnoCode)).lowercased()
    case is NIOConnectionError: "no connection"
    default: String("\(error)".prefix(120))
    }
  }

  /// The file in which a server writes the key of this machine's user, while it runs; its mode is 0600.
  static func keyFile(in data: URL) -> URL {
    data.appending(path: "server.key", directoryHint: .notDirectory)
  }

  /// The name of the library's cookie, which depends on whether the connection is encrypted.
  var libraryName: String {
    server.isSecure ? "__Host-library" : "library"
  }

  /// Sets the session's cookie.
  mutating func keepSession(_ secret: String?) {
    guard let secret else { return }
    cookies[sessionName] = secret
  }

  /// The name of the session's cookie, which depends on whether the connection is encrypted.
  var sessionName: String {
    server.isSecure ? "__Host-longbox-session" : "longbox-session"
  }
}

extension ServerAddress: CustomStringConvertible {
  var description: String { origin + path }
}
