import Foundation
import Testing

/// Runs the compiler on single files against this build's stand-ins under Apple's names: types
/// only, all files of a folder at once.
struct StandInCompiler {
  struct Complaint: Hashable {
    let file: String
    let line: Int
    let message: String
  }

  let folder = URL(filePath: #filePath).deletingLastPathComponent()
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

  func sources(_ name: String) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: folder.appending(path: name), includingPropertiesForKeys: nil
    )
    .filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path }
  }

  func errors(in files: [URL]) throws -> [Complaint] {
    var arguments = ["swiftc", "-typecheck", "-wmo", "-swift-version", "6", "-parse-as-library"]
    // Warnings are errors, as in all targets of this package.
    arguments += ["-warnings-as-errors", "-diagnostic-style", "llvm"]
    arguments += ["-module-name", "Cases"]
    for module in ["Combine", "SwiftUI", "UIKit"] {
      arguments += ["-module-alias", "\(module)=Linux\(module)"]
    }
    let (status, text) = try run(arguments + modulePaths + files.map(\.path))
    let complaints = text.components(separatedBy: "\n").compactMap(complaint)
    // No listed error: the command itself failed.
    try #require(
      status == 0 || !complaints.isEmpty, "the compiler failed: \(text)")
    return complaints
  }

  /// The public declarations of a module with their full names, as the compiler prints them.
  func publicDeclarations(of module: String) throws -> [StandInDeclaration] {
    let output = FileManager.default.temporaryDirectory.appending(
      path: "livetape-symbols-\(module)-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: output) }
    let (status, text) = try run(
      [
        "swift-symbolgraph-extract", "-module-name", module, "-target", target,
        "-output-dir", output.path, "-minimum-access-level", "public", "-skip-synthesized-members",
      ] + modulePaths)
    try #require(status == 0, "no symbols of \(module): \(text)")
    let files = try FileManager.default.contentsOfDirectory(
      at: output, includingPropertiesForKeys: nil)
    return try files.flatMap { file in
      try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: file)).declarations
    }
  }

  #if arch(arm64)
    private let target = "aarch64-unknown-linux-gnu"
  #else
    private let target = "x86_64-unknown-linux-gnu"
  #endif

  private var modulePaths: [String] {
    [
      "-I", build.appending(path: "Modules").path,
      "-Xcc", "-fmodule-map-file=\(helpersMap.path)",
    ]
  }

  private func run(_ arguments: [String]) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    let pipe = Pipe()
    process.standardError = pipe
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }

  /// OpenCombine's C helpers, which its module needs to be loaded.
  private var helpersMap: URL {
    build.appending(path: "COpenCombineHelpers.build/module.modulemap")
  }

  /// Parses `path:line:column: error: message`.
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
