// The venues by the names that people know.

public import MarketModel

/// The venues of the product.
public enum VenueDirectory {
  /// All venues, in order of display.
  public static let venues: [VenueName] = [.bitmex, .isin, .bux, .echo, .exchange]

  /// A venue's name for people; its short name for a venue that is not listed.
  public static func name(of venue: VenueName) -> String {
    switch venue {
    case .bitmex: "BitMEX"
    case .isin: "ISIN price stream"
    case .bux: "BUX"
    case .echo: "Price tracker echo"
    case .exchange: "Two Roads exchange"
    default: venue.rawValue
    }
  }
}
