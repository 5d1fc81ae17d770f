// Requests of clients: snapshots first, then the response, as at the real venue.

public import MarketModel
import OrderMatching
import WireJSON

extension SimulatedCoinbase {
  /// The listed products.
  public var symbols: [String] { products.map(\.symbol) }

  mutating func handle(_ bytes: [UInt8], of client: ClientID, at now: Timestamp) -> [VenueEffect] {
    guard let request = try? CoinbaseRequest(bytes),
      request.type == "subscribe" || request.type == "unsubscribe"
    else { return [refuse(client, "failure to parse the message")] }
    guard let topics = topics(request) else {
      // The real venue's words, whatever the channel's name.
      return [refuse(client, "authentication failure")]
    }
    clients[client]?.hasSubscribed = true
    var effects: [VenueEffect] = []
    if request.type == "subscribe" {
      subscribe(client, topics, at: now, &effects)
    } else {
      for topic in topics { clients.topics.remove(client, topic) }
      forgetUnheard()
    }
    let text = CoinbaseText.subscriptions(clients.topics.topics(of: client), products, at: now)
    send(text, to: [client], &effects)
    return effects
  }

  /// The topics of a request, of known products; nil for an unknown channel.
  private func topics(_ request: CoinbaseRequest) -> [CoinbaseTopic]? {
    if request.channel == "heartbeats" { return [.heartbeats] }
    guard CoinbaseTopic.named(request.channel, 0) != nil else { return nil }
    return request.products.compactMap { name in
      index(of: name).flatMap { CoinbaseTopic.named(request.channel, $0) }
    }
  }

  /// A product by its name or, in dollars, by its second one.
  private func index(of name: String) -> Int? {
    let name = name.hasSuffix("-USDC") ? String(name.dropLast()) : name
    return products.firstIndex { $0.symbol == name }
  }

  private mutating func subscribe(
    _ client: ClientID, _ topics: [CoinbaseTopic], at now: Timestamp,
    _ effects: inout [VenueEffect]
  ) {
    for topic in topics where !clients.topics.contains(client, topic) {
      clients.topics.insert(client, topic)
      switch topic {
      case .heartbeats: break
      case .level2(let product):
        let levels = book(product, limit: .max)
        send(
          CoinbaseText.book("snapshot", products[product], levels, at: now), to: [client],
          &effects)
      case .trades(let product):
        let trades = tapes[product].latest(Self.snapshotTrades)
        send(
          CoinbaseText.trades("snapshot", products[product], trades, at: now), to: [client],
          &effects)
      case .ticker(let product): send(ticker("snapshot", product, at: now), to: [client], &effects)
      case .status(let product):
        send(CoinbaseText.status([products[product]], at: now), to: [client], &effects)
      }
    }
  }

  /// As of the latest update; O(depth and changes since then).
  package func publishedLevels(
    _ symbol: Symbol, depth: Int
  ) -> (bids: [TrueLevel], asks: [TrueLevel])? {
    products.firstIndex { $0.symbol == symbol.text }.map {
      trueLevels(published($0, depth: depth), of: $0, depth: depth)
    }
  }

  package func bestLevels(_ symbol: Symbol, depth: Int) -> (bids: [TrueLevel], asks: [TrueLevel])? {
    products.firstIndex { $0.symbol == symbol.text }.map {
      trueLevels(book($0, limit: depth), of: $0, depth: depth)
    }
  }

  private func trueLevels(
    _ levels: [CoinbaseChange], of index: Int, depth: Int
  ) -> (bids: [TrueLevel], asks: [TrueLevel]) {
    func side(_ isBid: Bool) -> [TrueLevel] {
      levels.filter { $0.isBid == isBid }.prefix(depth).map { level in
        TrueLevel(
          price: products[index].price(level.ticks),
          size: products[index].quantity(lots: level.lots))
      }
    }
    return (side(true), side(false))
  }

  package func streams(of client: ClientID) -> [String] {
    clients.topics.topics(of: client).map { topic in
      switch topic {
      case .heartbeats: "heartbeats"
      case .level2(let product): "book \(products[product].symbol)"
      case .trades(let product): "trade \(products[product].symbol)"
      case .ticker(let product): "ticker \(products[product].symbol)"
      case .status(let product): "status \(products[product].symbol)"
      }
    }.sorted()
  }

  /// How many of a product's latest trades had a buyer, and a seller, as the taker.
  package func takerCounts(_ symbol: String, latest count: Int) -> (buys: Int, sells: Int)? {
    guard let index = products.firstIndex(where: { $0.symbol == symbol }) else { return nil }
    let trades = sentTrades(index, latest: count)
    let buys = trades.count { $0.isBuy }
    return (buys, trades.count - buys)
  }

  /// The levels of a product's book, bids first, each side best first.
  func book(_ index: Int, limit: Int) -> [CoinbaseChange] {
    func side(_ side: Side) -> [CoinbaseChange] {
      market.instruments[index].levels(side, limit: limit).map { level in
        CoinbaseChange(isBid: side == .buy, ticks: level.price.units, lots: level.quantity.units)
      }
    }
    return side(.buy) + side(.sell)
  }

  private func refuse(_ client: ClientID, _ message: String) -> VenueEffect {
    .send(to: [client], bytes: CoinbaseText.error(message), binary: false)
  }
}

// MARK: - REST

// Under `/api/v3/brokerage/market/`, in the real venue's format.

extension SimulatedCoinbase {
  private static let prefix = "/api/v3/brokerage/market/products"
  private static let bookPath = "/api/v3/brokerage/market/product_book"
  private static let maximumTrades: Int64 = 1000
  private static let maximumCandles: Int64 = 350
  /// Trades that a request may look through.
  private static let searchedTrades = 20_000
  private static let granularities: [String: Int64] = [
    "ONE_MINUTE": 1, "FIVE_MINUTE": 5, "FIFTEEN_MINUTE": 15, "THIRTY_MINUTE": 30, "ONE_HOUR": 60,
    "TWO_HOUR": 120, "SIX_HOUR": 360, "ONE_DAY": 1440,
  ]

  private struct Problem: Error {
    let status: Int
    let error: StaticString
    let message: StaticString

    static let notFound = Problem(status: 404, error: "NOT_FOUND", message: "product not found")
    static let invalid = Problem(
      status: 400, error: "INVALID_ARGUMENT", message: "invalid arguments")
  }

  /// Responds to `/api/v3/brokerage/market/products`, paths below it, and `product_book`; nil for
  /// any other path.
  public mutating func respond(to request: VenueRequest, at now: Timestamp) -> VenueResponse? {
    let isBook = request.path == Self.bookPath
    guard isBook || request.path.hasPrefix(Self.prefix) else { return nil }
    catchUp(to: now)
    let parts = request.path.dropFirst(Self.prefix.count).split(separator: "/").map(String.init)
    var writer = JSONWriter(capacity: 64 * 1024)
    do throws(Problem) {
      if isBook {
        try writeBook(request, at: now, to: &writer)
        return .json(writer)
      }
      guard let name = parts.first else {
        writeProducts(at: now, to: &writer)
        return .json(writer)
      }
      guard let index = index(of: name), parts.count <= 2 else { throw .notFound }
      switch parts.dropFirst().first {
      case nil: CoinbaseText.product(&writer, products[index], daySummary(of: index, at: now))
      case "candles": try writeCandles(index, request, at: now, to: &writer)
      case "ticker": try writeTrades(index, request, to: &writer)
      default: throw .notFound
      }
      return .json(writer)
    } catch {
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("error", "\(error.error)")
        writer.member("error_details", "\(error.message)")
        writer.member("message", "\(error.message)")
      }
      return .json(writer, status: error.status)
    }
  }

  /// A product's best levels; all of them without a limit.
  private func writeBook(
    _ request: VenueRequest, at now: Timestamp, to writer: inout JSONWriter
  ) throws(Problem) {
    guard let index = request.queryValue("product_id").flatMap({ self.index(of: $0) }) else {
      throw .notFound
    }
    let limit = try integer(request, "limit").map { Int($0) } ?? .max
    CoinbaseText.priceBook(&writer, products[index], book(index, limit: limit), at: now)
  }

  private mutating func writeProducts(at now: Timestamp, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.array("products") { writer in
        for index in products.indices {
          CoinbaseText.product(&writer, products[index], daySummary(of: index, at: now))
        }
      }
      writer.member("num_products", products.count)
    }
  }

  private func integer(_ request: VenueRequest, _ name: String) throws(Problem) -> Int64? {
    guard let text = request.queryValue(name), !text.isEmpty else { return nil }
    guard let value = Int64(text), (0...100_000_000_000).contains(value) else { throw .invalid }
    return value
  }

  /// Newest first; intervals without a trade have no row.
  private mutating func writeCandles(
    _ index: Int, _ request: VenueRequest, at now: Timestamp, to writer: inout JSONWriter
  ) throws(Problem) {
    guard let start = try integer(request, "start"), let end = try integer(request, "end"),
      let minutes = request.queryValue("granularity").flatMap({ Self.granularities[$0] }),
      end >= start, (end - start) / (minutes * 60) <= Self.maximumCandles
    else { throw .invalid }
    let limit = min(try integer(request, "limit") ?? Self.maximumCandles, Self.maximumCandles)
    let minute = minute(at: now)
    let count = max(0, minute - start / 60) / minutes + 2
    let rows = tapes[index].candles(minutes: minutes, count: min(count, 100_000), at: minute)
    let wanted = rows.filter { row in
      row.candle.count > 0 && (start...end).contains(row.start * 60)
    }
    writer.object { writer in
      writer.objects("candles", wanted.suffix(Int(limit)).reversed()) { writer, row in
        writer.member("start", String(row.start * 60))
        writer.member("low", decimal: products[index].price(row.candle.low))
        writer.member("high", decimal: products[index].price(row.candle.high))
        writer.member("open", decimal: products[index].price(row.candle.open))
        writer.member("close", decimal: products[index].price(row.candle.close))
        writer.member("volume", decimal: products[index].quantity(lots: row.candle.lots))
      }
    }
  }

  /// The newest trades of a span, newest first.
  private func writeTrades(
    _ index: Int, _ request: VenueRequest, to writer: inout JSONWriter
  ) throws(Problem) {
    guard let limit = try integer(request, "limit"), (1...Self.maximumTrades).contains(limit)
    else { throw .invalid }
    let (start, end) = (try integer(request, "start"), try integer(request, "end"))
    var trades: [TapeTrade]
    if let start {
      trades = tapes[index].trades(after: start * 1_000_000_000 - 1, limit: Self.searchedTrades)
    } else {
      trades = tapes[index].latest(Int(limit))
    }
    if let end { trades.removeAll { $0.microseconds > end * 1_000_000 } }
    writer.object { writer in
      writer.member("trades", array: trades.suffix(Int(limit)).reversed()) {
        CoinbaseText.pastTrade(&$0, products[index], $1)
      }
      let top = market.instruments[index].top
      writer.member("best_bid", decimal: products[index].price(top.prices.bid))
      writer.member("best_ask", decimal: products[index].price(top.prices.ask))
    }
  }
}
