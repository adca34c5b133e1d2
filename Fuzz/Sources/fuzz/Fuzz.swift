// Longbox
// SPDX-License-Identifier: MIT

import Foundation

@testable import FuzzTargets

// libFuzzer has `main`, and calls these functions (https://llvm.org/docs/LibFuzzer.html).
//
//     fuzz                         lists the targets
//     fuzz TARGET --seeds FOLDER   writes the target's seeds
//     fuzz TARGET [ARGUMENTS]      runs libFuzzer with its own arguments and folders

/// The target of this run.
nonisolated(unsafe) private var target = FuzzTarget.archive

/// Takes the target from the arguments.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
  let words = (0..<Int(count.pointee)).compactMap { arguments.pointee[$0].map { String(cString: $0) } }
  guard words.count > 1, let chosen = FuzzTarget(rawValue: words[1]) else {
    print(FuzzTarget.allCases.map(\.rawValue).joined(separator: "\n"))
    exit(0)
  }
  target = chosen
  if words.count == 4, words[2] == "--seeds" {
    exit(writeSeeds(to: URL(filePath: words[3], directoryHint: .isDirectory)))
  }
  for index in 1..<(words.count - 1) { arguments.pointee[index] = arguments.pointee[index + 1] }
  arguments.pointee[words.count - 1] = nil
  count.pointee -= 1
  return 0
}

/// Reads one input; a finding ends the program, as a crash does.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do throws(Finding) {
    try target.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
  } catch {
    fatalError("\(error)")
  }
  return 0
}

private func writeSeeds(to folder: URL) -> CInt {
  do {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (index, seed) in target.seeds.enumerated() {
      try Data(seed).write(to: folder.appending(path: "seed\(index)"))
    }
    return 0
  } catch {
    print("The seeds can't be written: \(error)")
    return 74
  }
}
