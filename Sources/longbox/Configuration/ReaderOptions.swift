// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser

/// The options of the commands for reading.
struct ReaderOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read from another Longbox, in place of this machine's own. [LONGBOX_SERVER]",
      valueName: "url"
    )
  )
  var server: String?

  @Flag(help: "Print JSON, as docs/cli.md describes it.")
  var json = false

  @OptionGroup var place: DataOptions
}

/// How a comic is shown.
struct ShowingOptions: ParsableArguments {
  @Flag(help: "Print title, transcript and alt text instead of the picture.")
  var text = false

  @Option(help: "How to draw pictures: auto, kitty, iterm2, sixel, symbols or none.")
  var pictures = PictureMode.auto
}

/// How a terminal shows pictures.
enum PictureMode: String, CaseIterable, ExpressibleByArgument {
  case auto, kitty, iterm2, sixel, symbols, none
}
