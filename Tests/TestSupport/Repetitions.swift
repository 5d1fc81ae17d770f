import Foundation

/// Picks a count: a small one for `make test`, the full one for `make test-all`, which sets
/// `LIVETAPE_ALL`.
public func repetitions(_ few: Int, all: Int) -> Int {
  ProcessInfo.processInfo.environment["LIVETAPE_ALL"] == nil ? few : all
}
