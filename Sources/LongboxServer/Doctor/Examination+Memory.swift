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
