public import MarketModel

/// The HTTP requests for a venue's history.
public struct VenueHistory: Sendable {
  /// The base address at the real venue, without "/" at the end: "https://api.kraken.com".
  ///
  /// Nil if the venue is closed or has no such address.
  public let publicAddress: String?
  /// The base path at the simulator: "/kraken".
  public let simulatedPath: String
  /// The candle intervals that it offers, finest first.
  public let intervals: [CandleInterval]
  /// Whether it offers past trades, numbered as in its stream.
  public let givesTrades: Bool
  /// Whether pages of trades run backwards by number, ``HistoryRequest/tradesBefore(_:)``, instead
  /// of forwards from a time.
  public var pagesBackwards = false
  /// The maximum bytes of a response.
  public let maximumBytes: Int
  /// The lists of its instruments' names, in request order; empty where the symbol is the name.
  public let nameLists: [NamedAssets]
  /// Whether it reports its own status, as ``HistoryRequest/condition``.
  public let statesCondition: Bool
  /// ``path(_:_:at:)``.
  let target:
    @Sendable (_ request: HistoryRequest, _ nameAtVenue: String, _ now: Timestamp) -> String?
  /// Reads the response to a request from the instrument's name, the status and the body.
  public let read:
    @Sendable (
      _ request: HistoryRequest, _ nameAtVenue: String, _ status: Int, _ body: Span<UInt8>
    ) -> Result<HistoryResponse, HistoryFailure>

  /// The path and query of a request, below the address: "/0/public/OHLC?pair=XBTUSD&interval=1".
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - nameAtVenue: The instrument's name at the venue; ignored for ``HistoryRequest/names(_:)``
  ///     and ``HistoryRequest/condition``.
  ///   - now: The present, for venues whose requests name a span of time; 1970 suffices to find
  ///     out whether the venue has such a request.
  /// - Returns: The path; nil where the venue has no such request.
  public func path(
    _ request: HistoryRequest, _ nameAtVenue: String, at now: Timestamp = Timestamp(nanoseconds: 0)
  ) -> String? {
    target(request, nameAtVenue, now)
  }
}
