import MarketModel

/// A coin, currency or tokenised share of the simulated Kraken, with its start price.
struct KrakenAsset: Sendable {
  /// The stream's name: "BTC".
  let name: String
  /// The start price in 10^-12 dollars.
  let price: Int64
  /// The value that its price follows; nil for the dollar.
  let underlying: Underlying?
  /// The number of more active assets; 0 is the most active.
  let rank: Int

  static let dollar = KrakenAsset(
    name: "USD", price: 1_000_000_000_000, underlying: nil, rank: 20)

  /// Fiat currencies, the dollar first.
  static let currencies: [KrakenAsset] =
    [
      dollar,
      KrakenAsset(
        name: "EUR", price: Underlying.euroRate * 10_000_000, underlying: .euro, rank: 8),
    ]
    + [("GBP", 1_264_300), ("CHF", 1_131_200), ("AUD", 651_800), ("CAD", 718_300), ("JPY", 6_542)]
    .map { name, millionths in
      KrakenAsset(
        name: name, price: millionths * 1_000_000,
        underlying: Underlying(name: name + "/USD", volatility: 15_000), rank: 20)
    }

  /// Coins, the most active first.
  static let coins: [KrakenAsset] = {
    var coins: [KrakenAsset] = []
    for entry in entries(KrakenCoins.table) {
      coins.append(coin(entry.name, entry.text, rank: coins.count, among: coins))
    }
    return coins
  }()

  static let shares: [KrakenAsset] = entries(KrakenShares.table).enumerated().map { rank, entry in
    KrakenAsset(
      name: entry.name, price: picodollars(entry.text),
      underlying: .stock(KrakenShares.isins[entry.name] ?? "share " + entry.name), rank: rank + 40)
  }

  /// "0.6512" is a price in dollars with its own movement; "BTC*1" is worth a bitcoin.
  private static func coin(
    _ name: String, _ text: Substring, rank: Int, among known: [KrakenAsset]
  ) -> KrakenAsset {
    let deep = KrakenPair.deep.first { $0.base == name && $0.quote == "USD" }
    let parts = text.split(separator: "*")
    let chance = SeedText.seed(0, "coin " + name)
    guard parts.count == 2 else {
      let price = picodollars(text)
      // Real prices are not round.
      let odd = deep == nil ? price / 100_000 * Int64(chance % 400) : 0
      let volatility = 60_000 + Int64(chance >> 32 % 6) * 10_000
      return KrakenAsset(
        name: name, price: price + odd,
        underlying: deep?.listing.underlying ?? Underlying(name: name, volatility: volatility),
        rank: rank)
    }
    let factor = picodollars(parts[1])
    switch parts[0] {
    case "dollar":
      return KrakenAsset(
        name: name, price: factor, underlying: Underlying(name: name, volatility: 300), rank: rank)
    case "gold":
      return KrakenAsset(
        name: name, price: factor, underlying: Underlying(name: "gold", volatility: 12_000),
        rank: rank)
    default:
      let other = known.first { $0.name == parts[0] } ?? dollar
      let price = other.price / 1_000_000 * (factor / 1_000_000)
      return KrakenAsset(name: name, price: price, underlying: other.underlying, rank: rank)
    }
  }

  private static func entries(_ table: String) -> [(name: String, text: Substring)] {
    table.split(separator: ",").map { entry in
      let words = entry.split { $0 == " " || $0 == "\n" }
      return (String(words[0]), words[1])
    }
  }

  /// Dollars with a point in 10^-12 dollars; 0 for invalid text.
  private static func picodollars(_ text: Substring) -> Int64 {
    let spelled = text.hasPrefix(".") ? "0" + text : String(text)
    return FixedDecimal(spelled)?.exactly(at: Scale(clamping: 12))?.units ?? 0
  }
}

enum KrakenShares {
  /// "TICKER DOLLARS".
  static let table = """
    AAPLx 189.2, TSLAx 341.2, NVDAx 176.41, SPYx 641.3, QQQx 571.4, MSTRx 351.7, COINx 312.4,
    HOODx 108.2, CRCLx 142.6, GOOGLx 203.1, METAx 751.2, AMZNx 224.3, MSFTx 512.7, NFLXx 1214.5,
    PLTRx 171.3, GMEx 23.12, AVGOx 301.4, AMBRx 11.82, DFDVx 14.73, TQQQx 91.24, GLDx 312.6,
    INTCx 24.31, ORCLx 243.1, CRMx 241.8, JPMx 291.3, BACx 47.62, GSx 731.4, Vx 338.2, MAx 578.3,
    BRK.Bx 481.2, WMTx 101.3, KOx 70.41, PEPx 148.2, MCDx 291.4, HDx 401.2, PGx 157.3, JNJx 174.2,
    PFEx 24.81, LLYx 701.6, MRKx 84.12, ABBVx 208.4, ABTx 131.2, UNHx 302.7, TMOx 478.1,
    DHRx 204.3, AZNx 78.91, NVOx 53.12, MDTx 91.83, XOMx 108.4, CVXx 156.2, LINx 471.3,
    HONx 218.4, IBMx 241.7, CSCOx 68.23, ACNx 251.2, APPx 441.3, CRWDx 421.6, PANWx 178.3,
    MRVLx 74.12, PMx 168.4, CMCSAx 33.61, VTIx 316.2, TBLLx 105.6, OPENx 3.412, SLVx 38.41
    """

  /// Shares that other venues also show, by ticker: their tokens follow the same value.
  static let isins = ["AAPLx": SharedStock.apple, "MCDx": "US5801351017"]
}
