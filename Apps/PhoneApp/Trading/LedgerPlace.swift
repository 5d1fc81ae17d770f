import FeedConnections
import Foundation
public import MarketModel
import OrderLedger

/// The ledger's file on this device and the clock of its entries.
public struct LedgerPlace: Sendable {
  /// The database's path.
  public let path: String
  /// Both clocks; called on the order service's queue.
  public let clock: @Sendable () -> ClockReading

  /// A file at any path.
  public init(path: String, clock: @escaping @Sendable () -> ClockReading) {
    self.path = path
    self.clock = clock
  }

  /// The app's file in Application Support, which is backed up and hidden from the user.
  public static var standard: LedgerPlace {
    let folder = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
    let base = folder.first ?? FileManager.default.temporaryDirectory
    let file = base.appendingPathComponent("Livetape").appendingPathComponent(OrderLedger.fileName)
    return LedgerPlace(path: file.path, clock: HubClock.live.now)
  }
}
