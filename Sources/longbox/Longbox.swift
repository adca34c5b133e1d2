// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser

/// The command line: the server and all other commands.
@main
struct Longbox: AsyncParsableCommand {
  static let version = "0.1.0"

  /// Runs a command; the files that it creates are private, and no text can forge lines of its log.
  static func main() async {
    PrivateFiles.begin()
    Logs.begin()
    await main(nil)
  }

  static let configuration = CommandConfiguration(
    commandName: "longbox",
    abstract: "A reader for xkcd that runs on your own machine and works offline.",
    discussion: """
      Start with:  longbox serve
      Then open http://127.0.0.1:8353 in a browser, or read in the terminal:  longbox 353

      Each setting can also be an environment variable or stand in a YAML file, see docs/settings.md. The option counts \
      first, then the variable, then the file: --xkcd-url, LONGBOX_XKCD_URL, or in the file
          xkcd:
            url: https://example.org

      The comics are xkcd by Randall Munroe, under CC BY-NC 2.5: https://xkcd.com/license.html
      """,
    version: version,
    groupedSubcommands: [
      CommandGroup(
        name: "Read",
        subcommands: [
          Show.self, Next.self, Previous.self, RandomComic.self, SearchComics.self, Explain.self, Open.self,
        ]
      ),
      CommandGroup(
        name: "Your library",
        subcommands: [Favorites.self, Read.self, AlbumCommands.self, Quiz.self, Export.self, Pair.self]
      ),
      CommandGroup(
        name: "Run Longbox",
        subcommands: [
          Serve.self, Setup.self, Status.self, Import.self, Reload.self, Notify.self, Subscriptions.self,
          Passphrase.self, Devices.self, Backup.self, Restore.self, Doctor.self, Publish.self,
          MigrateStore.self,
        ]
      ),
    ],
    defaultSubcommand: Show.self
  )
}
