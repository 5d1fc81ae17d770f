import ArgumentParser
import Foundation
import MarketModel
import SimulatorServer

/// `--faults VENUE:SPEC` and `--faults @FILE`: initial faults of simulated venues.
struct FaultOptions: ParsableArguments {
  private static let maximumFileBytes = 64 << 10

  @Option(
    help: ArgumentHelp(
      "Break a simulated venue; may be repeated, and @FILE has one on each line.",
      discussion: "“kraken:drop=2% for 5s, gap=3@120”; docs/reliability.md has all of them.",
      valueName: "venue:spec|@file"))
  var faults: [String] = []

  /// The faults by venue; throws a usage error if one is invalid, a ``CommandFailure`` if a file is
  /// unreadable.
  func specs() throws -> [Venue: VenueFaults] {
    var all: [Venue: VenueFaults] = [:]
    for argument in faults {
      for line in try FaultOptions.lines(of: argument) {
        let (venue, wanted) = try FaultOptions.read(line)
        all[venue] = (all[venue] ?? .none).and(wanted)
        guard all[venue]?.isTooMany != true else {
          throw ValidationError("--faults: these are too many at a time for \(venue)")
        }
      }
    }
    return all
  }

  func validate() throws {
    // Errors in a file are not usage errors; they are reported when the command runs.
    for argument in faults where !argument.hasPrefix("@") { _ = try FaultOptions.read(argument) }
  }

  private static func lines(of argument: String) throws -> [String] {
    guard argument.hasPrefix("@") else { return [argument] }
    let path = String(argument.dropFirst())
    guard let data = FileManager.default.contents(atPath: path), data.count <= maximumFileBytes,
      let text = String(bytes: data, encoding: .utf8)
    else {
      throw CommandFailure("\(path) can't be read as a text of at most \(maximumFileBytes) bytes")
    }
    return text.split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("#") }
  }

  private static func read(_ line: String) throws -> (Venue, VenueFaults) {
    let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw ValidationError("--faults: expected VENUE:SPEC, found “\(line.prefix(80))”")
    }
    guard let venue = Venue(rawValue: String(parts[0])) else {
      let names = Venue.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--faults: there is no venue \(parts[0].prefix(80)), only \(names)")
    }
    do {
      return (venue, try VenueFaults(String(parts[1]), at: venue))
    } catch {
      throw ValidationError("--faults: \(error)")
    }
  }
}
