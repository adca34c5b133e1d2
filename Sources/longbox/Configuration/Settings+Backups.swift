// Longbox
// SPDX-License-Identifier: MIT

import Configuration
import Foundation
import LongboxServer

extension Settings {
  /// The folder for daily backups; nil for none.
  static func backups(_ reader: ConfigReader) throws -> BackupFolder? {
    let text = reader.string(forKey: "backupsKeep", default: "7")
    guard let kept = Int(text), (1...1000).contains(kept) else {
      throw SettingsError(key: "backupsKeep", value: text, expected: "a number from 1 to 1000")
    }
    guard let path = reader.string(forKey: "backups"), !path.isEmpty else { return nil }
    let location = URL(filePath: NSString(string: path).expandingTildeInPath, directoryHint: .isDirectory)
    return BackupFolder(location, keeping: kept)
  }
}
