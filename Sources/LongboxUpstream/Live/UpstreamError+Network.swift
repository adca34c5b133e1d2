// Longbox
// SPDX-License-Identifier: MIT

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix

extension UpstreamError {
  init(_ error: any Error, during exchange: Exchange) {
    let source = exchange.source
    switch error {
    case let error as UpstreamError:
      self = error
    case is CancellationError:
      self = .cancelled
    case let error as HTTPClientError:
      self.init(error, during: exchange)
    case let error as NIOConnectionError:
      self = .unreachable(source, reason: Self.reason(error, at: exchange.address.origin))
    case is HTTPParserError:
      self = .unreachable(source, reason: "its answer broke off, or was not HTTP")
    case let error as IOError:
      self = .unreachable(source, reason: Self.reason(error, at: exchange.address.origin))
    case is ChannelError:
      self = .unreachable(source, reason: "the connection broke")
    default:
      self = .unreachable(source, reason: String("\(error)".prefix(160)))
    }
  }

  private init(_ error: HTTPClientError, during exchange: Exchange) {
    switch error {
    case .cancelled:
      self = .cancelled
    case .readTimeout, .writeTimeout, .connectTimeout, .tlsHandshakeTimeout, .deadlineExceeded,
      .getConnectionFromPoolTimeout:
      self = .timedOut(exchange.source, subject: exchange.subject)
    case .remoteConnectionClosed, .uncleanShutdown:
      self = .unreachable(exchange.source, reason: "it closed the connection before its answer was whole")
    default:
      self = .unreachable(exchange.source, reason: error.shortDescription.lowercased())
    }
  }

  private static func reason(_ error: NIOConnectionError, at origin: WebAddress.Origin) -> String {
    guard let failure = error.connectionErrors.first?.error else {
      return "the name \(error.host) is not known, or no name server answers"
    }
    return (failure as? IOError).map { reason($0, at: origin) } ?? "no connection to \(origin)"
  }

  private static func reason(_ error: IOError, at origin: WebAddress.Origin) -> String {
    switch error.errnoCode {
    case ECONNREFUSED: "\(origin) refuses connections"
    case ENETUNREACH, EHOSTUNREACH: "there is no route to \(origin)"
    default: "the connection to \(origin) broke"
    }
  }
}
