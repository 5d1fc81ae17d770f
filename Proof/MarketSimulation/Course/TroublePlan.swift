import MarketModel

/// Generates random actions from the kinds of trouble that a seed has, and how much of each.
struct TroublePlan {
  private enum Kind: CaseIterable {
    case loss, repetition, damage, delay, silence, refusal, ending, clockOfVenue, flood
    case wireEnding, wireSilence, wireRefusal, wireDelay
    case topics, leaving, stalling, frames, retrying, serverClock, sleep
    case orders, crashes, disk
  }

  private let venues: [Venue]
  private let pages: Int
  private var kinds: [Kind]

  init(venues: [Venue], pages: Int, _ random: inout SplitMix64) {
    self.venues = venues
    self.pages = pages
    kinds = Kind.allCases.filter { _ in random.below(2) == 0 }
    if kinds.isEmpty { kinds = [.wireEnding] }
  }

  // MARK: Topics

  /// The markets whose books pages open.
  static let symbols: [(Venue, String)] = [
    (.kraken, "BTC/USD"), (.kraken, "ETH/USD"), (.bitmex, "XBTUSD"), (.coinbase, "BTC-USD"),
    (.okx, "BTC-USDT"), (.bybit, "BTCUSDT"), (.bybitLinear, "BTCUSDT"), (.binance, "BTCUSDT"),
  ]

  /// A market's name in topics.
  static func name(_ venue: Venue, _ symbol: String) -> String {
    venue == .kraken || venue == .bitmex ? symbol : "\(venue):\(symbol)"
  }

  func opening(_ page: Int, _ random: inout SplitMix64) -> [SimulationAction] {
    let books = TroublePlan.symbols.filter { venues.contains($0.0) }
    guard !books.isEmpty else { return ["status", "exchange", "orders", "positions"].map(opens) }
    func opens(_ topic: String) -> SimulationAction { .open(page: page, topic) }
    let market = books[(page + Int(random.below(Int64(books.count)))) % books.count]
    let book = TroublePlan.name(market.0, market.1)
    var topics = ["status", "book/\(book)"]
    if venues.contains(.exchange) { topics += ["exchange", "orders"] }
    if random.below(2) == 0 { topics.append("trades/\(book)") }
    return topics.map { .open(page: page, $0) }
  }

  private func topic(_ random: inout SplitMix64) -> String {
    let books = TroublePlan.symbols.filter { venues.contains($0.0) }
    guard !books.isEmpty else {
      return ["exchange", "orders", "openOrders", "positions"][Int(random.below(4))]
    }
    let (venue, symbol) = books[Int(random.below(Int64(books.count)))]
    let name = TroublePlan.name(venue, symbol)
    let choices = [
      "book/\(name)", "trades/\(name)", "figures/\(venue)/\(symbol)", "book/\(name)?group=5",
      "status", "markets",
    ]
    return choices[Int(random.below(Int64(choices.count)))]
  }

  // MARK: Trouble

  /// The next action, which ends within `milliseconds`; nil when none fits.
  mutating func next(
    before milliseconds: Int64, _ random: inout SplitMix64
  ) -> SimulationAction? {
    let kind = kinds[Int(random.below(Int64(kinds.count)))]
    let venue = venues[Int(random.below(Int64(venues.count)))]
    let page = Int(random.below(Int64(pages)))
    let length = min(milliseconds - 500, 200 + random.below(random.below(4) == 0 ? 30_000 : 6000))
    guard length >= 100 else { return nil }
    let trades = venues.contains(.exchange) && kinds.contains(.orders)
    if trades, random.below(2) == 0 { return .order(page: page, order(&random)) }
    switch kind {
    case .loss, .repetition, .damage, .delay, .silence, .refusal, .ending, .clockOfVenue, .flood:
      return faults(kind, venue, length, &random).map { .venue(venue, $0) }
    case .wireEnding:
      return .wire(venue, random.below(2) == 0 ? .cut : .half, milliseconds: 0)
    case .wireSilence: return .wire(venue, .black, milliseconds: length)
    case .wireRefusal:
      return .wire(venue, random.below(2) == 0 ? .refusing : .unknown, milliseconds: length)
    case .wireDelay: return .wire(venue, .slow, milliseconds: length)
    case .topics:
      let topic = topic(&random)
      return random.below(3) == 0 ? .close(page: page, topic) : .open(page: page, topic)
    case .leaving: return .leave(page: page, milliseconds: length)
    case .stalling: return .stall(page: page, milliseconds: length)
    case .frames: return .frames(page: page, milliseconds: 16 + random.below(985))
    case .retrying: return .retry(page: page, venue)
    case .orders: return .order(page: page, order(&random))
    case .crashes: return random.below(3) == 0 ? .crash : .order(page: page, order(&random))
    case .disk:
      if random.below(2) == 0 { return .diskSlow(milliseconds: random.below(400)) }
      return .diskFull(milliseconds: length)
    case .serverClock: return .clock(offMilliseconds: random.below(7_200_001) - 3_600_000)
    case .sleep: return .sleep(milliseconds: length)
    }
  }

  /// An order command around the stock's price of 45.
  private func order(_ random: inout SplitMix64) -> SimulatedOrder {
    let number = 1 + random.below(20)
    let cents = 4500 + random.below(200) - 100
    let price = "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
    let quantity = "\(1 + random.below(120))"
    switch random.below(10) {
    case 0: return .again
    case 1: return .cancel(number)
    case 2:
      return .amend(number, quantity: quantity, price: random.below(2) == 0 ? price : nil)
    case 3: return random.below(3) == 0 ? .cancelAll(number) : .cancel(number)
    default:
      let side = random.below(2) == 0 ? "buy" : "sell"
      if random.below(3) == 0 {
        return .place(type: "market", side: side, quantity: quantity, price: nil, life: nil)
      }
      let life = ["gtc", "gtc", "ioc", "fok"][Int(random.below(4))]
      return .place(type: "limit", side: side, quantity: quantity, price: price, life: life)
    }
  }

  private func faults(
    _ kind: Kind, _ venue: Venue, _ length: Int64, _ random: inout SplitMix64
  ) -> String? {
    let share = [1, 5, 30, 100][Int(random.below(4))]
    func one(_ choices: [String]) -> String { choices[Int(random.below(Int64(choices.count)))] }
    switch kind {
    case .loss:
      guard TroublePlan.noticesLosses(venue) else { return nil }
      return one(["drop=\(share)% for \(length)ms", "gap=\(1 + share / 5)", "drop"])
    case .repetition:
      guard TroublePlan.noticesLosses(venue) else { return nil }
      return one(["duplicate=\(share)% for \(length)ms", "reorder=\(share)% for \(length)ms"])
    case .damage:
      guard TroublePlan.noticesLosses(venue) else { return nil }
      let checksum = venue == .kraken ? ["checksum", "checksum=\(share)% for \(length)ms"] : []
      // Only a checksum, or a line of one stock, reveals another digit.
      let isRevealing = venue == .kraken || venue == .exchange
      let corrupt = isRevealing ? ["corrupt=\(share)% for \(length)ms"] : []
      return one(checksum + corrupt + ["truncate=\(share)% for \(length)ms"])
    case .delay: return "delay=\(1 + random.below(4000))ms for \(length)ms"
    case .silence: return one(["stall for \(length)ms", "half-open for \(length)ms"])
    case .refusal: return one(["refuse=503 for \(length)ms", "refuse=429*2", "refuse=500*3"])
    case .ending:
      let codes = venue == .exchange ? ["cut"] : ["close=1012", "close=1001", "cut", "cut@40"]
      let end = one(codes)
      return end.contains("@") ? "\(end) for \(length)ms" : end
    case .clockOfVenue: return "clock=\(random.below(2) == 0 ? "+" : "-")90s for \(length)ms"
    case .flood:
      guard TroublePlan.noticesLosses(venue) else { return nil }
      return "flood=\(50 + random.below(500))/s for \(min(length, 3000))ms"
    default: return nil
    }
  }

  /// Whether a venue's protocol reveals lost, duplicated or changed messages.
  ///
  /// BitMEX has neither numbers nor checksums: a loss may not show for long, see
  /// docs/reliability.md.
  private static func noticesLosses(_ venue: Venue) -> Bool { venue != .bitmex }
}
