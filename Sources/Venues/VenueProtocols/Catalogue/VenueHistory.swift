// How a venue is asked of its past over HTTP: where, what, and how its answers are read.

public import MarketModel

/// How a venue is asked of its past.
public struct VenueHistory: Sendable {
  /// Where the paths begin at the real venue, without "/" at the end: "https://api.kraken.com".
  ///
  /// Nil where there is none, or none any more.
  public let publicAddress: String?
  /// Where they begin at the simulator: "/kraken".
  public let simulatedPath: String
  /// The intervals that it gives candles of, finest first.
  public let intervals: [CandleInterval]
  /// Whether it gives the trades of the past, numbered as in its stream.
  public let givesTrades: Bool
  /// The most bytes of a response.
  public let maximumBytes: Int
  /// The lists of the instruments' names here, in the order in which ``HistoryRequest/names(_:)``
  /// asks for them; empty where the symbol is the name.
  public let nameLists: [NamedAssets]
  /// Whether it can be asked of its own state, as ``HistoryRequest/condition``.
  public let statesCondition: Bool
  /// The path and query of a request, below the address: "/0/public/OHLC?pair=XBTUSD&interval=1".
  ///
  /// The name is what the venue's names say of the instrument, and is ignored for
  /// ``HistoryRequest/names(_:)`` and ``HistoryRequest/condition``. Nil where the venue can't be
  /// asked that.
  public let path: @Sendable (_ request: HistoryRequest, _ nameAtVenue: String) -> String?
  /// Reads a response to a request that was asked by a name: its status and its body.
  public let read:
    @Sendable (
      _ request: HistoryRequest, _ nameAtVenue: String, _ status: Int, _ body: Span<UInt8>
    ) -> Result<HistoryResponse, HistoryFailure>
}
