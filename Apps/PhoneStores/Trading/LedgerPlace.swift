package import Foundation
public import MarketModel

/// The ledger's file on this device and the clock of its entries.
public struct LedgerPlace: Sendable {
  /// The database's path.
  public let path: String
  /// The folder of the database and of other files that belong to its markets.
  package var folder: URL { URL(fileURLWithPath: path).deletingLastPathComponent() }
  /// Both clocks; called on the order service's queue.
  public let clock: @Sendable () -> ClockReading

  /// A file at any path.
  public init(path: String, clock: @escaping @Sendable () -> ClockReading) {
    self.path = path
    self.clock = clock
  }
}
