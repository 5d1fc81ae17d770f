// How a venue is asked for the figures of all its markets at once over HTTP.

public import MarketModel

/// How a venue is asked for all figures at once.
public struct VenueTickers: Sendable {
  /// The path below the address of the venue's history.
  public let path: String
  /// The most bytes of a response.
  public let maximumBytes: Int
  /// Reads a response: the names that ``MarketModel/HistoryResponse/names(_:)`` gave, the status,
  /// the body, the moment to say that the figures are of, and their freshness.
  ///
  /// Markets without a name or a price are left out.
  public let read:
    @Sendable (
      _ names: [Symbol: String], _ status: Int, _ body: Span<UInt8>, _ now: Timestamp,
      _ freshness: Freshness
    ) -> Result<[DayFigures], HistoryFailure>
}
