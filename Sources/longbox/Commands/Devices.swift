// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import LongboxReaders
import LongboxStore

struct Devices: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the devices that are signed in, or sign one out.",
    discussion: "Works beside a running server, which notices within a few seconds."
  )

  @Option(help: ArgumentHelp("Sign out the devices with this name or number.", valueName: "name"))
  var signOut: String?

  @Flag(help: "Print JSON instead of sentences.")
  var json = false

  @OptionGroup var options: Options

  private struct Device: Encodable {
    var number: Int64
    var name: String
    var since: Date
    var lastSeen: Date?

    init(_ device: StoredCredential) {
      number = device.id
      name = device.name
      since = device.createdAt
      lastSeen = device.seenAt
    }
  }

  private struct Removed: Encodable {
    var signedOut: [Device]
  }

  func run() async throws {
    try await reportingErrors {
      let settings = try await DataFolder.settings(options)
      let access = try await Access.control(in: settings.store)
      let devices = access.credentials(.session)
      guard let signOut else {
        return try Console().write(
          devices.map(Device.init),
          asJSON: json,
          lines: devices.isEmpty ? ["No device is signed in."] : devices.map(Self.line)
        )
      }
      let meant = devices.filter { $0.name == signOut || String($0.id) == signOut }
      for device in meant { try await access.remove(device.id) }
      guard !meant.isEmpty else {
        throw ReaderError.missing("No device is called “\(signOut)”. “longbox devices” lists them.")
      }
      try Console().write(
        Removed(signedOut: meant.map(Device.init)),
        asJSON: json,
        lines: [meant.count == 1 ? "One device was signed out." : "\(meant.count) devices were signed out."]
      )
    }
  }

  private static func line(_ device: StoredCredential) -> String {
    let day = Date.ISO8601FormatStyle().year().month().day()
    return "\(device.id)  \(device.name)  since \(device.createdAt.formatted(day))"
      + (device.seenAt.map { ", last seen \($0.formatted(day))" } ?? "")
  }
}
