/// The subscribable tables with their partials' metadata; the raw value is the name on the wire.
enum SimulatedBitMEXTable: String, Sendable, CaseIterable {
  case orderBookL2
  case orderBookL2_25
  case orderBookL2_100
  case orderBook10
  case trade
  case quote
  case instrument
  // These exist without data: nothing is liquidated, settled or announced in the simulation.
  case liquidation
  case funding
  case settlement
  case insurance
  case announcement
  case chat
  case connected
  case publicNotifications
  case quoteBin1m
  case quoteBin5m
  case quoteBin1h
  case quoteBin1d
  case tradeBin1m
  case tradeBin5m
  case tradeBin1h
  case tradeBin1d

  /// Tables of an account, to which public clients subscribe as well.
  static let ofAccounts: Set<String> = [
    "affiliate", "execution", "margin", "order", "position", "privateNotifications", "transact",
    "wallet",
  ]

  /// Levels per side, if the table is the top of a book.
  var depth: Int? {
    switch self {
    case .orderBookL2_25: 25
    case .orderBookL2_100: 100
    default: nil
    }
  }

  /// The columns that identify a row, as JSON.
  var keys: StaticString {
    switch self {
    case .orderBookL2, .orderBookL2_25, .orderBookL2_100: #"["symbol","id","side"]"#
    case .orderBook10, .instrument: #"["symbol"]"#
    case .liquidation: #"["orderID"]"#
    case .funding, .settlement: #"["timestamp","symbol"]"#
    case .insurance: #"["currency","timestamp"]"#
    case .announcement, .publicNotifications, .connected: #"["id"]"#
    case .chat: #"["channelID","id"]"#
    default: "[]"
    }
  }

  /// The columns' types of a generation, as JSON.
  func types(_ generation: BitMEXGeneration) -> StaticString {
    switch self {
    case .orderBookL2, .orderBookL2_25, .orderBookL2_100:
      generation == .legacy ? BitMEXTypes.legacyLevel : BitMEXTypes.modernLevel
    case .trade: generation == .legacy ? BitMEXTypes.legacyTrade : BitMEXTypes.modernTrade
    case .orderBook10: #"{"symbol":"symbol","bids":"","asks":"","timestamp":"timestamp"}"#
    case .quote, .quoteBin1m, .quoteBin5m, .quoteBin1h, .quoteBin1d: BitMEXTypes.quote
    case .instrument: BitMEXTypes.instrument
    case .liquidation: BitMEXTypes.liquidation
    case .funding: BitMEXTypes.funding
    case .tradeBin1m, .tradeBin5m, .tradeBin1h, .tradeBin1d: BitMEXTypes.tradeBin
    case .settlement: BitMEXTypes.settlement
    default: #"{"id":"integer","timestamp":"timestamp"}"#
    }
  }

  /// `foreignKeys` of legacy partials, as JSON.
  var foreignKeys: StaticString {
    switch self {
    case .orderBookL2, .orderBookL2_25, .orderBookL2_100, .trade, .liquidation:
      #"{"symbol":"instrument","side":"side"}"#
    case .announcement, .publicNotifications, .chat, .connected, .insurance: "{}"
    default: #"{"symbol":"instrument"}"#
    }
  }

  /// `attributes` of legacy partials, as JSON.
  var attributes: StaticString {
    switch self {
    case .orderBookL2, .orderBookL2_25, .orderBookL2_100: #"{"symbol":"parted","id":"sorted"}"#
    case .orderBook10: #"{"symbol":"sorted"}"#
    case .instrument: #"{"symbol":"unique"}"#
    default: #"{"timestamp":"sorted","symbol":"grouped"}"#
    }
  }
}

private enum BitMEXTypes {
  static let legacyLevel: StaticString =
    #"{"symbol":"symbol","id":"long","side":"symbol","size":"long","price":"float"}"#
  static let modernLevel: StaticString = """
    {"symbol":"symbol","id":"long","side":"symbol","size":"long","price":"float",\
    "timestamp":"timestamp","transactTime":"timestamp"}
    """
  static let legacyTrade: StaticString = """
    {"timestamp":"timestamp","symbol":"symbol","side":"symbol","size":"long","price":"float",\
    "tickDirection":"symbol","trdMatchID":"guid","grossValue":"long","homeNotional":"float",\
    "foreignNotional":"float"}
    """
  static let modernTrade: StaticString = """
    {"timestamp":"timestamp","symbol":"symbol","side":"symbol","size":"long","price":"float",\
    "tickDirection":"symbol","trdMatchID":"guid","grossValue":"long","homeNotional":"float",\
    "foreignNotional":"float","trdType":"symbol"}
    """
  static let quote: StaticString = """
    {"timestamp":"timestamp","symbol":"symbol","bidSize":"long","bidPrice":"float",\
    "askPrice":"float","askSize":"long"}
    """
  static let liquidation: StaticString =
    #"{"orderID":"guid","symbol":"symbol","side":"symbol","price":"float","leavesQty":"long"}"#
  static let funding: StaticString = """
    {"timestamp":"timestamp","symbol":"symbol","fundingInterval":"timespan",\
    "fundingRate":"float","fundingRateDaily":"float"}
    """
  static let settlement: StaticString = """
    {"timestamp":"timestamp","symbol":"symbol","settlementType":"symbol","settledPrice":"float",\
    "optionStrikePrice":"float","optionUnderlyingPrice":"float","bankrupt":"long",\
    "taxBase":"long","taxRate":"float"}
    """
  static let tradeBin: StaticString = """
    {"timestamp":"timestamp","symbol":"symbol","open":"float","high":"float","low":"float",\
    "close":"float","trades":"long","volume":"long","vwap":"float","lastSize":"long",\
    "turnover":"long","homeNotional":"float","foreignNotional":"float"}
    """
  static let instrument: StaticString = """
    {"symbol":"symbol","rootSymbol":"symbol","state":"symbol","typ":"symbol",\
    "listing":"timestamp","front":"timestamp","expiry":"timestamp","settle":"timestamp",\
    "positionCurrency":"symbol","underlying":"symbol","quoteCurrency":"symbol",\
    "underlyingSymbol":"symbol","reference":"symbol","referenceSymbol":"symbol",\
    "maxOrderQty":"long","maxPrice":"float","lotSize":"long","tickSize":"float",\
    "multiplier":"long","settlCurrency":"symbol","underlyingToSettleMultiplier":"long",\
    "quoteToSettleMultiplier":"long","isQuanto":"boolean","isInverse":"boolean",\
    "initMargin":"float","maintMargin":"float","makerFee":"float","takerFee":"float",\
    "settlementFee":"float","fundingInterval":"timespan","fundingRate":"float",\
    "indicativeFundingRate":"float","totalVolume":"long","volume":"long","volume24h":"long",\
    "openInterest":"long","highPrice":"float","lowPrice":"float","lastPrice":"float",\
    "lastTickDirection":"symbol","bidPrice":"float","midPrice":"float","askPrice":"float",\
    "hasLiquidity":"boolean","fairMethod":"symbol","fairPrice":"float","markMethod":"symbol",\
    "markPrice":"float","indicativeSettlePrice":"float","timestamp":"timestamp"}
    """
}
