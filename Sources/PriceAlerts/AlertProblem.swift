// Why something can't be done to an alert, in words for people.

/// Why alerts stay as they are.
public enum AlertProblem: Error, Hashable, Sendable {
  /// ``AlertBook/maximumAlerts``.
  case tooMany
  /// It has been deleted, or never was.
  case noSuchAlert
  /// The text is no price, or none that an instrument can have.
  case badLevel
  /// There is an alert like this one.
  case thereAlready
  /// The venue tells quotes but no trades, or has no such instrument.
  case noTrades

  /// One clear sentence.
  public var sentence: String {
    switch self {
    case .tooMany: "There can be \(AlertBook.maximumAlerts) alerts. Delete one first."
    case .noSuchAlert: "This alert does not exist any more."
    case .badLevel: "The price of an alert is a number above 0, with at most 12 decimals."
    case .thereAlready: "There is an alert at this price."
    case .noTrades:
      "Alerts fire on trades, and none are known of this market: only of BitMEX, Kraken and the "
        + "exchange."
    }
  }
}
