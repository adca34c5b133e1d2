// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import Logging
import LongboxCatalog
import LongboxPages
import LongboxReaders
import LongboxStore
import NIOHTTP1

/// Adds security headers and the request's id to every response, and turns errors into short texts.
///
/// Responses with status 503 also get `Retry-After`.
struct SecurityHeaders: RouterMiddleware {
  let floods: FloodLog

  func handle(
    _ request: Request,
    context: ServerContext,
    next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    var response: Response
    do {
      response = try await next(request, context)
    } catch let error as any HTTPResponseError {
      response = try error.response(from: request, context: context)
    } catch let error as HTTPParserError {
      // The client closed the connection within a body, so no response can be sent.
      floods.note(.cutOffBody, SecretAddress.withoutSecrets(request.uri.path))
      throw error
    } catch is CancellationError {
      response = Response(status: .serviceUnavailable)
    } catch let error as TooManyNew {
      floods.note(.newLibraries, "\(context.client)")
      response = try error.httpError.response(from: request, context: context)
    } catch let error as StoreError {
      floods.note(.notStored, error.description)
      response = try error.httpError.response(from: request, context: context)
    } catch let error as CatalogError {
      if case .store(let fault) = error { floods.note(.notStored, fault.description) }
      if case .failed(let reason) = error {
        context.logger.error(
          "A request failed.",
          metadata: ["path": "\(SecretAddress.withoutSecrets(request.uri.path))", "error": "\(reason)"]
        )
      }
      response = try error.httpError.response(from: request, context: context)
    } catch {
      context.logger.error(
        "A request failed.",
        metadata: ["path": "\(SecretAddress.withoutSecrets(request.uri.path))", "error": "\(error)"]
      )
      response = Response(status: .internalServerError)
    }
    response.headers.guardBrowser()
    if response.status == .serviceUnavailable, response.headers[.retryAfter] == nil {
      response.headers[.retryAfter] = "5"
    }
    if let name = HTTPField.Name.requestID, let id = context.logger[metadataKey: "hb.request.id"]?.description
    {
      response.headers[name] = id
    }
    return response
  }
}

extension HTTPField.Name {
  /// The header field with a request's id, as the logs have it.
  static let requestID = HTTPField.Name("X-Request-ID")
}

extension HTTPFields {
  /// Adds the security headers, unless they are present.
  mutating func guardBrowser() {
    guard self[.contentSecurityPolicy] == nil else { return }
    let isPage = self[.contentType].map { $0.hasPrefix("text/html") } ?? true
    append(contentsOf: isPage ? Self.guarding : Self.guardingFiles)
  }

  /// The headers of everything but pages: nothing may run in it; the other headers don't matter there.
  private static let guardingFiles: HTTPFields = [
    .contentSecurityPolicy: "default-src 'none'", .xContentTypeOptions: "nosniff",
  ]

  /// Allows only our own files, no inline script but one, forms only to us, and no framing.
  private static var policy: String { "\(policyInPage); frame-ancestors 'none'" }

  /// The policy as a page itself can have it; there, browsers ignore `frame-ancestors`.
  static var policyInPage: String {
    "default-src 'none'; script-src 'self' \(EarlyKeys.source); style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
      + "manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'"
  }

  private static var names: [(name: String, value: String)] {
    [
      ("Content-Security-Policy", policy),
      ("X-Content-Type-Options", "nosniff"),
      ("Referrer-Policy", "same-origin"),
      ("Cross-Origin-Opener-Policy", "same-origin"),
      ("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    ]
  }

  /// The headers of every page, also of responses made outside the router.
  static let guarding = HTTPFields(
    names.compactMap { name, value in HTTPField.Name(name).map { HTTPField(name: $0, value: value) } }
  )
}
