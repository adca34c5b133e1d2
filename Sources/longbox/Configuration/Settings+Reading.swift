// Longbox
// SPDX-License-Identifier: MIT

import Configuration
import Foundation
import SystemPackage

extension Settings {
  /// Reads the settings from the command line, the environment and the file, in this order of precedence.
  ///
  /// `further` has the command's own options.
  static func read(
    _ options: Options,
    further: [AbsoluteConfigKey: ConfigValue] = [:]
  ) async throws -> Settings {
    try await read(config: options.place.config, options.values.merging(further) { $1 })
  }

  /// The same for a command that only reads.
  static func read(_ place: DataOptions) async throws -> Settings {
    try await read(config: place.config, place.values)
  }

  private static func read(
    config: String?,
    _ given: [AbsoluteConfigKey: ConfigValue]
  ) async throws -> Settings {
    let environment = ProcessInfo.processInfo.environment
    var providers: [any ConfigProvider] = [
      InMemoryProvider(name: "options", values: given),
      EnvironmentVariablesProvider().prefixKeys(with: "longbox"),
    ]
    // Where the data folder is can't stand in the file that lies there.
    let data = try dataFolder(
      ConfigReader(providers: providers).string(forKey: "data"),
      environment: environment
    )
    let own = data.appending(path: fileName).path
    let written = FileManager.default.fileExists(atPath: own) ? own : nil
    if let file = config ?? environment["LONGBOX_CONFIG"] ?? written {
      do {
        providers.append(try await FileProvider<YAMLSnapshot>(filePath: FilePath(file)))
      } catch {
        throw SettingsError(key: "config", value: file, expected: "a YAML file that can be read (\(error))")
      }
    }
    return try Settings(ConfigReader(providers: providers), environment: environment)
  }
}
