// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCatalog
import Logging
import LongboxUpstream

/// Finds out which program listens at an address of this machine.
struct PortProbe {
  enum Outcome: Equatable {
    /// A Longbox; the iTunes Store may refuse to answer it.
    case longbox(SourcePause?)
    /// Nothing.
    case free
    /// Another server.
    case other
    /// A program that accepts connections, but sends no response.
    case silent
  }

  let host: String
  let port: Int
  let path: String

  func outcome() async -> Outcome {
    let name = ["0.0.0.0", "::", ""].contains(host) ? "127.0.0.1" : host
    let authority = name.contains(":") ? "[\(name)]" : name
    guard let address = WebAddress("http://\(authority):\(port)\(path)") else { return .free }
    let connections = HTTPConnections(connectTimeout: .seconds(3), readTimeout: .seconds(3))
    let outcome: Outcome
    do {
      let transport = Transport.live(
        over: connections,
        allowing: [address.origin],
        userAgent: try UserAgent(version: "doctor", contact: nil),
        redirectLimit: 0,
        logger: Logger(label: "longbox.doctor") { _ in SwiftLogNoOpLogHandler() }
      )
      let exchange = Exchange(
        source: .xkcd,
        subject: "health",
        address: address,
        byteLimit: 64 << 10,
        timeLimit: .seconds(5)
      )
      let reply = try await transport.send(exchange)
      let isHealth = reply.status == 200 && String(decoding: reply.body, as: UTF8.self).contains("\"comics\"")
      outcome = isHealth ? .longbox(Self.pause(in: reply.body)) : .other
    } catch UpstreamError.unreachable {
      outcome = .free
    } catch UpstreamError.timedOut {
      outcome = .silent
    } catch UpstreamError.rejected(_, .redirects) where !ServerSettings(host: name).isLoopback {
      // Longbox redirects all but this machine to HTTPS.
      outcome = .longbox(nil)
    } catch {
      outcome = .other
    }
    try? await connections.close()
    return outcome
  }

  private struct Health: Decodable {
    var albumsRefusedSince: Date?
    var albumsNextTry: Date?
  }

  private static func pause(in health: [UInt8]) -> SourcePause? {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    guard let health = try? decoder.decode(Health.self, from: Data(health)),
      let since = health.albumsRefusedSince, let next = health.albumsNextTry
    else { return nil }
    return SourcePause(since: since, nextTry: next)
  }
}
