// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import LongboxStore
import LongboxUpstream

/// Checks a data folder, its machine and its sources, and changes nothing; a server may run on the folder.
public struct Examination: Sendable {
  /// The data folder.
  let folder: URL
  /// The settings that a server would have.
  let settings: ServerSettings
  /// The questions to the sources.
  let sources: [SourceQuestion]
  /// Whether this process is the server.
  let isServing: Bool
  let now: @Sendable () -> Date

  /// Prepares the checks.
  /// - Parameters:
  ///   - folder: the data folder.
  ///   - settings: the settings that a server would have.
  ///   - sources: the questions to the sources.
  ///   - isServing: whether this process is the server.
  ///   - now: the time.
  public init(
    of folder: URL,
    settings: ServerSettings,
    sources: [SourceQuestion],
    isServing: Bool = false,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.folder = folder
    self.settings = settings
    self.sources = sources
    self.isServing = isServing
    self.now = now
  }

  /// Checks everything; the sources have five seconds to answer.
  /// - Parameter store: the server's store; nil to open the folder for reading.
  public func diagnosis(on store: Store? = nil) async -> Diagnosis {
    let opened = store.map { Result<Store, StoreError>.success($0) } ?? open()
    async let replies = answers()
    var findings = [await examineStore(opened), examineDisk(), examinePermissions()]
    let known = try? opened.get()
    let check = try? await known?.newestCheck()
    findings += examineSources(await replies, check)
    findings.append(examineClock(await replies, check))
    findings.append(examineCertificates())
    findings.append(await examineKeys(known))
    if let finding = await examineSubscriptions(known) { findings.append(finding) }
    findings.append(examineBackups())
    findings.append(await examinePort())
    if let finding = examineMemory() { findings.append(finding) }
    return Diagnosis(date: now(), findings: findings)
  }

  private func open() -> Result<Store, StoreError> {
    Result { () throws(StoreError) in try Store.openReading(folder) }
  }

  /// A time that has passed, such as "3 hours".
  static func spelled(seconds: TimeInterval) -> String {
    func counted(_ number: Int, _ unit: String) -> String { number == 1 ? "1 \(unit)" : "\(number) \(unit)s" }
    let minutes = Int(seconds / 60)
    if minutes < 1 { return "less than a minute" }
    if minutes < 120 { return counted(minutes, "minute") }
    if minutes < 48 * 60 { return counted(minutes / 60, "hour") }
    return counted(minutes / (24 * 60), "day")
  }
}
