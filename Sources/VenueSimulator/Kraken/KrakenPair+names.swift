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
    // Two long names make a long one, otherwise both are short; dogecoin's is always short.
    let isLong = KrakenAssetName.isLong(base) && KrakenAssetName.isLong(quote) && base != "DOGE"
    return isLong ? KrakenAssetName.key(base) + KrakenAssetName.key(quote) : alternativeName
  }

  /// Whether a request means this pair: by any of its names, as the stream's too.
  func isNamed(_ name: String) -> Bool {
    [symbol, alternativeName, slashedName, internalKey].contains(name)
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
    case "BTC", "DOGE", "ETH", "XRP": "X" + older(name)
    case "USD": "Z" + name
    default: name
    }
  }
}
