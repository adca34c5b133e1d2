// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxCatalog
import LongboxUpstream

extension Examination {
  /// The available memory in bytes below which it is a problem, and a warning.
  private static let (least, little) = (64 << 20, 160 << 20)

  /// Checks the available memory; nil if it is unknown.
  func examineMemory() -> Finding? {
    guard let available = SystemMemory.available else { return nil }
    let used = isServing ? SystemMemory.used.map { "Longbox uses \(($0).spelledAsBytes); " } ?? "" : ""
    let text = "\(used)\(available.spelledAsBytes) are available."
    let advice = "Give the machine or the container more memory, or end other programs."
    if available < Self.least { return .problem(.memory, text, advice) }
    return available < Self.little ? .warning(.memory, text, advice) : .ok(.memory, text)
  }

  /// What listens at the address; nil if this process does, or the port is any.
  func portOutcome() async -> PortProbe.Outcome? {
    guard !isServing, settings.port != 0 else { return nil }
    let path = "\(settings.site.basePath.text)/healthz"
    return await PortProbe(host: settings.host, port: settings.port, path: path).outcome()
  }

  /// Checks that Longbox, or nothing, listens at the address.
  func examinePort(_ outcome: PortProbe.Outcome?) -> Finding {
    let address = "\(settings.host):\(settings.port)"
    switch outcome {
    case nil where isServing: return .ok(.port, "Longbox answers here.")
    case nil: return .ok(.port, "Longbox listens at any free port.")
    case .longbox: return .ok(.port, "Longbox answers at \(address).")
    case .free:
      return .ok(.port, "Nothing listens at \(address).", "If the server should run, start it: longbox serve")
    case .other:
      return .problem(
        .port,
        "Another program listens at \(address).",
        "Stop it, or set LONGBOX_PORT to another port."
      )
    case .silent:
      return .problem(
        .port,
        "A program listens at \(address), but doesn't answer.",
        "If it is Longbox, look into its log, and restart it."
      )
    }
  }
}

/// The memory and open files of this process and machine, as Linux reports them.
enum SystemMemory {
  /// The available bytes, within the container's limit if there is one; nil if unknown.
  static var available: Int? {
    let system = kilobytes("MemAvailable:", in: "/proc/meminfo")
    return [system, availableBytes(inGroup: "/sys/fs/cgroup")].compactMap { $0 }.min()
  }

  /// The available bytes within a container's limit (cgroup v2); nil if there is none.
  static func availableBytes(inGroup folder: String) -> Int? {
    guard let limit = number("\(folder)/memory.max"), let used = number("\(folder)/memory.current") else {
      return nil
    }
    // The kernel frees this cache of files when programs need memory.
    let reclaimable = value("inactive_file", in: "\(folder)/memory.stat") ?? 0
    return max(0, limit - max(0, used - reclaimable))
  }

  /// The bytes of this process that are in memory; nil if unknown.
  static var used: Int? { kilobytes("VmRSS:", in: "/proc/self/status") }

  /// The number of this process's open files; nil if unknown.
  static var openFiles: Int? { try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }

  private static func kilobytes(_ name: String, in file: String) -> Int? {
    value(name, in: file).map { $0 * 1024 }
  }

  private static func value(_ name: String, in file: String) -> Int? {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
  }

  private static func number(_ file: String) -> Int? {
    (try? String(contentsOfFile: file, encoding: .utf8)).flatMap {
      Int($0.trimmingCharacters(in: .whitespacesAndNewlines))
    }
  }
}

/// Finds out which program listens at an address of this machine.
struct PortProbe {
  enum Outcome: Equatable {
    /// A Longbox; the iTunes Store may refuse to answer it.
    case longbox(SourcePause?)
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
