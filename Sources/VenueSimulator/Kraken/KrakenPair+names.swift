// The names that one pair has where it is asked for by HTTP: each asset has an older name, and some
// of those an X or a Z before them.

import MarketModel

extension KrakenPair {
  /// "XBTUSD": what is asked for.
  var alternativeName: String {
    KrakenAssetName.older(base) + KrakenAssetName.older(quote)
  }

  /// "XBT/USD".
  var slashedName: String {
    KrakenAssetName.older(base) + "/" + KrakenAssetName.older(quote)
  }

  /// "XXBTZUSD", "SOLUSD": the key of answers.
  var internalKey: String {
    hasLongKey ? KrakenAssetName.key(base) + KrakenAssetName.key(quote) : alternativeName
  }

  /// Every name that a request may mean this pair by, the stream's among them.
  var names: Set<String> { [symbol, alternativeName, slashedName, internalKey] }

  /// Two long names make a long one, otherwise both are short; younger pairs of old assets are
  /// short as well.
  private var hasLongKey: Bool {
    guard KrakenAssetName.isLong(base), KrakenAssetName.isLong(quote), base != "DOGE" else {
      return false
    }
    switch quote {
    case "USD": return base != "AUD"
    case "AUD": return false
    case "GBP", "CAD": return ["BTC", "ETH", "USD"].contains(base)
    case "EUR", "JPY": return base != "AUD" && base != "EUR" && base != "GBP"
    default: return base != "LTC" || quote != "ETH"
    }
  }
}

/// The names of an asset.
enum KrakenAssetName {
  /// "XBT" for "BTC", "XDG" for "DOGE"; others have one name.
  static func older(_ name: String) -> String {
    switch name {
    case "BTC": "XBT"
    case "DOGE": "XDG"
    default: name
    }
  }

  /// Whether the asset is old enough to have a letter before its name.
  static func isLong(_ name: String) -> Bool { key(name) != older(name) }

  /// "XXBT", "ZUSD"; younger assets have no letter before them.
  static func key(_ name: String) -> String {
    switch name {
    case "BTC", "DOGE", "ETC", "ETH", "LTC", "MLN", "REP", "XLM", "XMR", "XRP", "ZEC":
      "X" + older(name)
    case "AUD", "CAD", "EUR", "GBP", "JPY", "USD": "Z" + name
    default: name
    }
  }
}
