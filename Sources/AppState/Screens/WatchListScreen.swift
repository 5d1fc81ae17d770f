// The watch list (WL2): its rows are fixed; each row's price is a screen of its own, so that only
// visible rows are subscribed (WL5).

public import MarketModel
import VenueProtocols

/// A row of the watch list, without its price.
public struct WatchListRow: Hashable, Sendable {
  /// The share's ISIN.
  public let isin: Symbol
  /// The company's short name.
  public let name: String
  /// ISO 4217 code of the price.
  public let currency: String
  /// Decimals to show.
  public let decimals: Scale
}

/// What the watch list shows: topic `stocks` of docs/page-protocol.md.
public struct WatchListState: Equatable, Sendable {
  /// The rows, in order.
  public let rows: [WatchListRow]
}

/// The list of shares.
public struct WatchListScreen: Screen {
  /// The rows; they never change.
  public let state: WatchListState
  /// Nothing: see ``WatchRowScreen``.
  public let wanted: Set<MarketKey> = []

  /// Makes the list.
  public init() {
    state = WatchListState(
      rows: IsinCatalogue.shares.map {
        WatchListRow(
          isin: $0.isin, name: $0.name, currency: IsinCatalogue.currency,
          decimals: IsinCatalogue.decimals)
      })
  }

  /// Nothing outside matters here.
  public mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] { [] }

  /// Nothing can be done here.
  public typealias Action = Never
}
