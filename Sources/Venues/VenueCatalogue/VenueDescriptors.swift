// The facts of each venue.

import MarketModel

extension VenueDescriptor {
  /// BitMEX: closed, its protocol lives on.
  static let bitmex = VenueDescriptor(
    displayName: "BitMEX",
    closure:
      "BitMEX closed on 23 September 2026. Its protocol lives on in simulation and recordings.",
    transport: .webSocket, addressHelp: "its realtime API", simulatedPath: "/realtime",
    clientPaths: ["/realtime", "/api/v1/"],
    // Safe by its older limits: 20 in 2017, 40, 60, then 720 an hour.
    budget: ConnectionBudget(attempts: 40),
    books: [
      BookInstrument(.bitmex, "XBTUSD", "Bitcoin / US dollar", "XBT", "USD", .inverse),
      BookInstrument(.bitmex, "ETHUSD", "Ether / US dollar", "ETH", "USD", .quanto),
      BookInstrument(.bitmex, "SOLUSD", "Solana / US dollar", "SOL", "USD", .quanto),
    ],
    acceptsNames: true, pricesMayBeNegative: true)

  /// Kraken: a living market of spot pairs.
  static let kraken = VenueDescriptor(
    displayName: "Kraken", publicAddress: "wss://ws.kraken.com/v2", transport: .webSocket,
    addressHelp: "its WebSocket v2", simulatedPath: "/v2", clientPaths: ["/v2", "/0/public/"],
    // It allows about 150 for an address, and others may share it.
    budget: ConnectionBudget(attempts: 120, windowMilliseconds: 600_000),
    books: [
      BookInstrument(.kraken, "BTC/USD", "Bitcoin / US dollar", "BTC", "USD", .base),
      BookInstrument(.kraken, "ETH/USD", "Ether / US dollar", "ETH", "USD", .base),
      BookInstrument(.kraken, "SOL/USD", "Solana / US dollar", "SOL", "USD", .base),
      BookInstrument(.kraken, "XRP/USD", "XRP / US dollar", "XRP", "USD", .base),
      BookInstrument(.kraken, "DOGE/USD", "Dogecoin / US dollar", "DOGE", "USD", .base),
      BookInstrument(.kraken, "SHIB/USD", "Shiba Inu / US dollar", "SHIB", "USD", .base),
      BookInstrument(.kraken, "ETH/BTC", "Ether / Bitcoin", "ETH", "BTC", .base),
    ],
    pairSeparator: "/", fees: FeeRates(maker: 2500, taker: 4000), bookAssurance: .checksum,
    statesFigures: true, listsInstruments: true)

  /// Coinbase: a living market of spot products, on its Advanced Trade feed.
  static let coinbase = VenueDescriptor(
    displayName: "Coinbase", publicAddress: "wss://advanced-trade-ws.coinbase.com",
    transport: .webSocket, addressHelp: "its Advanced Trade WebSocket", simulatedPath: "/advanced",
    clientPaths: ["/api/v3/brokerage/"],
    // It allows eight a second; a reconnect costs megabytes, so far fewer are needed.
    budget: ConnectionBudget(attempts: 120, windowMilliseconds: 600_000),
    books: [
      BookInstrument(.coinbase, "BTC-USD", "Bitcoin / US dollar", "BTC", "USD", .base),
      BookInstrument(.coinbase, "ETH-USD", "Ether / US dollar", "ETH", "USD", .base),
      BookInstrument(.coinbase, "SOL-USD", "Solana / US dollar", "SOL", "USD", .base),
      BookInstrument(.coinbase, "XRP-USD", "XRP / US dollar", "XRP", "USD", .base),
      BookInstrument(.coinbase, "DOGE-USD", "Dogecoin / US dollar", "DOGE", "USD", .base),
      BookInstrument(.coinbase, "ETH-BTC", "Ether / Bitcoin", "ETH", "BTC", .base),
    ],
    pairSeparator: "-", fees: FeeRates(maker: 6000, taker: 12000), bookAssurance: .sequence,
    candlesCountTrades: false, statesFigures: true,
    listsInstruments: true)

  /// OKX: a living market of spot pairs in tethers.
  static let okx = VenueDescriptor(
    displayName: "OKX", publicAddress: "wss://ws.okx.com:8443/ws/v5/public",
    transport: .webSocket, addressHelp: "its public WebSocket v5",
    simulatedPath: "/ws/v5/public", clientPaths: ["/ws/v5/public", "/api/v5/"],
    books: [
      BookInstrument(.okx, "BTC-USDT", "Bitcoin / Tether", "BTC", "USDT", .base),
      BookInstrument(.okx, "ETH-USDT", "Ether / Tether", "ETH", "USDT", .base),
      BookInstrument(.okx, "SOL-USDT", "Solana / Tether", "SOL", "USDT", .base),
      BookInstrument(.okx, "XRP-USDT", "XRP / Tether", "XRP", "USDT", .base),
      BookInstrument(.okx, "DOGE-USDT", "Dogecoin / Tether", "DOGE", "USDT", .base),
      BookInstrument(.okx, "SHIB-USDT", "Shiba Inu / Tether", "SHIB", "USDT", .base),
    ],
    pairSeparator: "-", fees: FeeRates(maker: 800, taker: 1000), bookAssurance: .sequence,
    candlesCountTrades: false, statesFigures: true,
    listsInstruments: true)

  /// Bybit: a living market of spot pairs in tethers.
  static let bybit = VenueDescriptor(
    displayName: "Bybit", publicAddress: "wss://stream.bybit.com/v5/public/spot",
    transport: .webSocket, addressHelp: "its public WebSocket v5 of spot pairs",
    simulatedPath: "/v5/public/spot", clientPaths: ["/v5/public/spot", "/v5/market/"],
    books: [
      BookInstrument(.bybit, "BTCUSDT", "Bitcoin / Tether", "BTC", "USDT", .base),
      BookInstrument(.bybit, "ETHUSDT", "Ether / Tether", "ETH", "USDT", .base),
      BookInstrument(.bybit, "SOLUSDT", "Solana / Tether", "SOL", "USDT", .base),
      BookInstrument(.bybit, "XRPUSDT", "XRP / Tether", "XRP", "USDT", .base),
      BookInstrument(.bybit, "DOGEUSDT", "Dogecoin / Tether", "DOGE", "USDT", .base),
      BookInstrument(.bybit, "SHIBUSDT", "Shiba Inu / Tether", "SHIB", "USDT", .base),
    ],
    pairSeparator: "", fees: FeeRates(maker: 1000, taker: 1000), bookAssurance: .sequence,
    candlesCountTrades: false, statesFigures: true,
    listsInstruments: true)

  /// Bybit's perpetuals that settle in tethers: the same symbols as its spot pairs, other markets.
  static let bybitLinear = VenueDescriptor(
    displayName: "Bybit perpetuals", publicAddress: "wss://stream.bybit.com/v5/public/linear",
    transport: .webSocket, addressHelp: "its public WebSocket v5 of linear perpetuals",
    simulatedPath: "/v5/public/linear", clientPaths: ["/v5/public/linear"],
    books: [
      BookInstrument(
        .bybitLinear, "BTCUSDT", "Bitcoin / Tether perpetual", "BTC", "USDT", .linear),
      BookInstrument(.bybitLinear, "ETHUSDT", "Ether / Tether perpetual", "ETH", "USDT", .linear),
      BookInstrument(.bybitLinear, "SOLUSDT", "Solana / Tether perpetual", "SOL", "USDT", .linear),
      BookInstrument(.bybitLinear, "XRPUSDT", "XRP / Tether perpetual", "XRP", "USDT", .linear),
      BookInstrument(
        .bybitLinear, "DOGEUSDT", "Dogecoin / Tether perpetual", "DOGE", "USDT", .linear),
    ],
    pairSeparator: "", pairContract: .linear, bookAssurance: .sequence, candlesCountTrades: false,
    statesFigures: true, listsInstruments: true)

  /// Binance: a living market of spot pairs, on the hosts for market data alone.
  static let binance = VenueDescriptor(
    displayName: "Binance", publicAddress: "wss://data-stream.binance.vision/stream",
    transport: .webSocket, addressHelp: "its combined spot streams",
    simulatedPath: "/stream",
    clientPaths: [
      "/stream", "/api/v3/depth", "/api/v3/exchangeInfo", "/api/v3/klines", "/api/v3/trades",
      "/api/v3/aggTrades",
      "/api/v3/ticker/24hr", "/api/v3/ping", "/api/v3/time",
    ],
    // It allows 300 in five minutes for an address, and others may share it.
    budget: ConnectionBudget(attempts: 60, windowMilliseconds: 300_000),
    books: [
      BookInstrument(.binance, "BTCUSDT", "Bitcoin / Tether", "BTC", "USDT", .base),
      BookInstrument(.binance, "ETHUSDT", "Ether / Tether", "ETH", "USDT", .base),
      BookInstrument(.binance, "SOLUSDT", "Solana / Tether", "SOL", "USDT", .base),
      BookInstrument(.binance, "XRPUSDT", "XRP / Tether", "XRP", "USDT", .base),
      BookInstrument(.binance, "DOGEUSDT", "Dogecoin / Tether", "DOGE", "USDT", .base),
      BookInstrument(.binance, "SHIBUSDT", "Shiba Inu / Tether", "SHIB", "USDT", .base),
    ],
    pairSeparator: "", fees: FeeRates(maker: 1000, taker: 1000), bookAssurance: .sequence,
    statesFigures: true, listsInstruments: true)

  /// The price stream of the watch list.
  static let isin = VenueDescriptor(
    displayName: "Stock Price Stream", publicAddress: "ws://159.89.15.214:8080/",
    transport: .webSocket, addressHelp: "the ISIN price stream",
    others: IsinCatalogue.shares.map {
      OfferedInstrument($0.isin, $0.name, .share, in: IsinCatalogue.currency)
    },
    priceDecimals: IsinCatalogue.decimals,
    hasOnlyLastPrice: { Isin.isValid($0.text) }, sendsTimes: false)

  /// BUX: products over HTTP, quotes over a feed on a host of its own.
  static let bux = VenueDescriptor(
    displayName: "BUX", publicAddress: "https://api.beta.getbux.com", transport: .requestsAndFeed,
    addressHelp: "its base; /core/23/… and /subscriptions/me lie below it",
    others: ProductCatalogue.choices.map {
      OfferedInstrument($0.identifier, $0.name, .product, in: "")
    },
    hasOnlyLastPrice: { ProductCatalogue.identifier($0.text) == $0 })

  /// The echo that the price tracker's own walk runs through.
  static let echo = VenueDescriptor(
    displayName: "Price Tracker Echo", publicAddress: "wss://ws.postman-echo.com/raw",
    transport: .webSocket, addressHelp: "a WebSocket echo",
    others: StockCatalogue.stocks.map {
      OfferedInstrument($0.symbol, $0.name, .made, in: StockCatalogue.currency)
    },
    priceDecimals: StockCatalogue.decimals, hasOnlyOthers: true,
    hasOnlyLastPrice: { StockCatalogue.stock($0) != nil }, sendsTimes: false,
    isOfOneClient: true)

  /// The exchange's raw TCP tick feed; there is no public one.
  static let exchange = VenueDescriptor(
    displayName: "Two Roads Exchange", transport: .tcp, addressHelp: "its tick feed",
    others: [
      OfferedInstrument(
        ExchangeCatalogue.symbol, ExchangeCatalogue.name, .stock, in: ExchangeCatalogue.currency)
    ],
    priceDecimals: ExchangeCatalogue.decimals, hasOnlyOthers: true)
}
