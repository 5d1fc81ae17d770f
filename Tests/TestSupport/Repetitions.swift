import Foundation

/// Picks an extent, such as a count: a small one for `make test`, the full one for `make test-all`,
/// which sets `LIVETAPE_ALL`.
public func repetitions<Extent>(_ few: Extent, all: Extent) -> Extent {
  ProcessInfo.processInfo.environment["LIVETAPE_ALL"] == nil ? few : all
}
