// Longbox
// SPDX-License-Identifier: MIT

import Foundation

extension Examination {
  /// The memory that must be available, in bytes: below the first it is a problem, below the second a warning.
  private static let (least, little) = (64 << 20, 160 << 20)

  /// Whether there is memory left; nil where the system doesn't tell.
  func examineMemory() -> Finding? {
    guard let available = SystemMemory.available else { return nil }
    let used = isServing ? SystemMemory.used.map { "Longbox uses \(($0).spelledAsBytes); " } ?? "" : ""
    let text = "\(used)\(available.spelledAsBytes) are available."
    let advice = "Give the machine or the container more memory, or end other programs."
    if available < Self.least { return .problem(.memory, text, advice) }
    return available < Self.little ? .warning(.memory, text, advice) : .ok(.memory, text)
  }
}

/// What Linux says about memory.
enum SystemMemory {
  /// The bytes that programs can still take, also within the limit of a container; nil if unknown.
  static var available: Int? {
    let system = value("MemAvailable:", in: "/proc/meminfo")
    guard let limit = number("/sys/fs/cgroup/memory.max"), let used = number("/sys/fs/cgroup/memory.current")
    else {
      return system
    }
    return min(system ?? .max, max(0, limit - used))
  }

  /// The bytes of this process that are in memory; nil if unknown.
  static var used: Int? { value("VmRSS:", in: "/proc/self/status") }

  /// The number of this process's open files; nil if unknown.
  static var openFiles: Int? { try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }

  private static func value(_ name: String, in file: String) -> Int? {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
  }

  private static func number(_ file: String) -> Int? {
    (try? String(contentsOfFile: file, encoding: .utf8)).flatMap {
      Int($0.trimmingCharacters(in: .whitespacesAndNewlines))
    }
  }
}
