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
    let environment = ProcessInfo.processInfo.environment
    var providers: [any ConfigProvider] = [
      InMemoryProvider(name: "options", values: options.values.merging(further) { $1 }),
      EnvironmentVariablesProvider().prefixKeys(with: "longbox"),
    ]
    // Where the data folder is can't stand in the file that lies there.
    let data = try dataFolder(
      ConfigReader(providers: providers).string(forKey: "data"),
      environment: environment
    )
    let own = data.appending(path: fileName).path
    let written = FileManager.default.fileExists(atPath: own) ? own : nil
    if let file = options.config ?? environment["LONGBOX_CONFIG"] ?? written {
      do {
        providers.append(try await FileProvider<YAMLSnapshot>(filePath: FilePath(file)))
      } catch {
        throw SettingsError(key: "config", value: file, expected: "a YAML file that can be read (\(error))")
      }
    }
    return try Settings(ConfigReader(providers: providers), environment: environment)
  }
}
