// Runs the compiler on single files against the stand-ins as this build has made them: types only,
// all files of a folder at once.

import Foundation
import Testing

/// The compiler with the stand-ins under Apple's names.
struct StandInCompiler {
  /// What the compiler says of a line.
  struct Complaint: Hashable {
    let file: String
    let line: Int
    let message: String
  }

  private let folder = URL(filePath: #filePath).deletingLastPathComponent()
  private let build: URL

  init() throws {
    let test = URL(filePath: ProcessInfo.processInfo.arguments[0])
    var place = test.deletingLastPathComponent()
    let hasModules = { (place: URL) in
      FileManager.default.fileExists(
        atPath: place.appending(path: "Modules/LinuxSwiftUI.swiftmodule").path)
    }
    for _ in 0..<4 where !hasModules(place) { place.deleteLastPathComponent() }
    try #require(hasModules(place), "no modules of this build near \(test.path)")
    build = place
  }

  /// The Swift files of a folder beside this file.
  func sources(_ name: String) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: folder.appending(path: name), includingPropertiesForKeys: nil
    )
    .filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path }
  }

  /// The errors in files.
  func errors(in files: [URL]) throws -> [Complaint] {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "swiftc", "-typecheck", "-wmo", "-swift-version", "6", "-parse-as-library",
    ]
    // Warnings are errors, as in all targets of this package.
    process.arguments? += ["-warnings-as-errors", "-diagnostic-style", "llvm"]
    process.arguments? += ["-module-name", "Cases"]
    for module in ["Combine", "SwiftUI", "UIKit"] {
      process.arguments? += ["-module-alias", "\(module)=Linux\(module)"]
    }
    process.arguments? += ["-I", build.appending(path: "Modules").path]
    process.arguments? += ["-Xcc", "-fmodule-map-file=\(helpersMap.path)"]
    process.arguments? += files.map(\.path)
    let pipe = Pipe()
    process.standardError = pipe
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: output, as: UTF8.self)
    let complaints = text.components(separatedBy: "\n").compactMap(complaint)
    // Wrong in another way than by what the files say: the command itself failed.
    try #require(
      process.terminationStatus == 0 || !complaints.isEmpty, "the compiler failed: \(text)")
    return complaints
  }

  /// OpenCombine's C helpers, which its module needs to be loaded.
  private var helpersMap: URL {
    build.appending(path: "COpenCombineHelpers.build/module.modulemap")
  }

  /// Reads `path:line:column: error: message`.
  private func complaint(_ line: String) -> Complaint? {
    guard let mark = line.range(of: ": error: ") else { return nil }
    let place = line[..<mark.lowerBound].split(separator: ":")
    guard place.count >= 3, let number = Int(place[place.count - 2]) else { return nil }
    let path = place.dropLast(2).joined(separator: ":")
    return Complaint(
      file: URL(filePath: path).lastPathComponent, line: number,
      message: String(line[mark.upperBound...]))
  }
}
