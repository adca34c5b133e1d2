// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore

@testable import LongboxServer

/// A browser that keeps its cookie and sends `Origin` with forms.
struct Browser: Sendable {
  let bench: ServerBench
  var cookie: String?
  /// What a proxy adds to each request.
  var fieldsOfProxy: HTTPFields = [:]

  func get(_ path: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
    var headers = headers
    headers.append(contentsOf: fieldsOfProxy)
    headers[.cookie] = cookie
    return try await bench.get(path, headers)
  }

  mutating func send(
    _ path: String,
    _ body: String,
    _ headers: HTTPFields = [.origin: "http://localhost"]
  ) async throws -> TestResponse {
    try await post(path, ByteBuffer(string: body), as: "application/x-www-form-urlencoded", headers)
  }

  mutating func post(
    _ path: String,
    _ body: ByteBuffer,
    as mediaType: String?,
    _ headers: HTTPFields = [.origin: "http://localhost"]
  ) async throws -> TestResponse {
    var headers = headers
    headers.append(contentsOf: fieldsOfProxy)
    headers[.contentType] = mediaType
    headers[.cookie] = cookie
    let answer = try await bench.client.executeRequest(
      uri: path,
      method: .post,
      headers: headers,
      body: body
    )
    if let given = answer.headers[.setCookie] { cookie = String(given.prefix { $0 != ";" }) }
    return answer
  }
}

extension LibraryCookie {
  /// Parses the `Cookie` header of a browser.
  init?(in field: String?) {
    guard let field, field.hasPrefix("library=") else { return nil }
    self.init(value: String(field.dropFirst(8)))
  }
}
