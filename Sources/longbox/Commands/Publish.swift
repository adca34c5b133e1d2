// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Configuration
import Foundation
import LongboxCatalog
import LongboxPages
import LongboxServer
import LongboxStore

struct Publish: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a static copy: an installable site of files for any web host.",
    discussion: """
      Writes everything that is stored, and asks no source; works beside a running server. Reading, search, favorites, read \
      marks and offline use work without a server; sync, notifications and albums need one. Put the folder on GitHub Pages, \
      Netlify, Cloudflare Pages, S3 or any web server; docs/publish.md says how.

      A second run writes only what has changed, and removes what went. The folder must be empty or an earlier copy.
      """
  )

  /// The pictures in the copy.
  enum Pictures: String, CaseIterable, ExpressibleByArgument {
    case none, thumbnails, all

    var offered: Site.Pictures {
      switch self {
      case .none: .none
      case .thumbnails: .thumbnails
      case .all: .all
      }
    }
  }

  @Argument(help: "The folder to write.", completion: .directory)
  var folder: String

  @Option(
    help: ArgumentHelp(
      "The path below which the site will be, such as /longbox. [LONGBOX_BASE_PATH]",
      valueName: "path"
    )
  )
  var basePath: String?

  @Option(help: "The pictures to include: none, thumbnails or all.")
  var pictures = Pictures.all

  @Flag(help: "Print JSON instead of sentences.")
  var json = false

  @OptionGroup var options: Options

  /// Tells builds of one version apart.
  private static var build: String {
    let program = Bundle.main.executableURL?.resolvingSymlinksInPath().path ?? ""
    let facts = try? FileManager.default.attributesOfItem(atPath: program)
    let time = (facts?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
    return "\(facts?[.size] ?? 0) \(time)"
  }

  func run() async throws {
    try await reportingErrors {
      let given = [
        AbsoluteConfigKey(["basePath"]): basePath.map { ConfigValue(.string($0), isSecret: false) }
      ]
      let settings = try await DataFolder.settings(options, further: given.compactMapValues { $0 })
      let copy = StaticCopy(
        of: try await StoredCatalog(Store.openReading(settings.store)),
        settings: .init(
          folder: URL(filePath: folder, directoryHint: .isDirectory),
          basePath: settings.site.basePath,
          pictures: pictures.offered,
          version: Longbox.version,
          build: Self.build
        )
      )
      let report = try await ProgressBar.showing("Writing") { try await copy.write(progress: $0) }
      try Console().write(report, asJSON: json, lines: report.sentences(for: folder))
    }
  }
}

extension StaticCopyReport {
  /// The most files that Cloudflare Pages takes.
  private static let mostOfCloudflare = 20_000

  fileprivate func sentences(for folder: String) -> [String] {
    var lines = ["\(folder) has \(comics) comics in \(total.files) files, \(total.bytes.spelledAsBytes)."]
    for (name, part) in parts.sorted(by: { $0.key < $1.key }) {
      lines.append("  \(name): \(part.files), \(part.bytes.spelledAsBytes)")
    }
    lines.append(
      "Written: \(written), \(writtenBytes.spelledAsBytes). Removed: \(removed). Kept for open pages of the previous version: \(retired)."
    )
    lines.append("Rendered the pages of \(made) comics; the others are unchanged.")
    if missingPictures > 0 {
      lines.append(
        "\(missingPictures) pictures are not stored. Let “longbox serve” fetch them, then publish again."
      )
    }
    if total.files + retired > Self.mostOfCloudflare {
      lines.append("Cloudflare Pages takes at most 20,000 files; use --pictures thumbnails there.")
    }
    return lines
  }
}
