// Longbox
// SPDX-License-Identifier: MIT

import Foundation

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
}

/// The memory and open files of this process and machine, as Linux reports them.
enum SystemMemory {
  /// The available bytes, within the container's limit if there is one; nil if unknown.
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
