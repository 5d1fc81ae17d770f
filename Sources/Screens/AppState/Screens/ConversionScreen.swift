public import MarketModel
import MarketStreams
import PaperTrading
import VenueCatalogue

/// A step of a conversion with its current price.
public struct ConversionLeg: Equatable, Sendable {
  /// The market and its direction.
  public let step: ConversionStep
  /// The middle of its best bid and ask; nil while one of them is missing.
  public let price: FixedDecimal?
  /// Whether the price is valid now.
  public let freshness: Freshness
}

/// What the positions in one currency add to the total.
public struct ConversionPart: Equatable, Sendable {
  /// Whether it is in the total, and why not.
  public enum Standing: String, CaseIterable, Sendable {
    case converted
    /// The venues' lists of markets have not all arrived.
    case searching
    case noRoute
    /// A market of the route has no price.
    case noPrice
    /// A position has no exit price.
    case noValue
    case tooLarge

    /// Why it is not in the total; nil if it is.
    public var reason: Sentence? {
      switch self {
      case .converted: nil
      case .searching: "searching for a market"
      case .noRoute: "no market converts it"
      case .noPrice: "no conversion price yet"
      case .noValue: "a position has no price"
      case .tooLarge: "too large"
      }
    }
  }

  /// The currency.
  public let currency: String
  /// Whether it is in the total.
  public let standing: Standing
  /// The converted equity in digits; nil unless it is in the total.
  public let equity: String?
  /// The markets that convert it; empty for the total's own currency and without a route.
  public let legs: [ConversionLeg]
}

/// The sum of all converted positions, in digits.
public struct ConvertedTotal: Equatable, Sendable {
  /// Cash plus the positions at their exit prices; nil if it is too large, as are all others.
  public let equity: String?
  /// The lowest equity if more was filled than is certain; nil if nothing may be, and while a
  /// price is unknown.
  public let lowEquity: String?
  /// The highest equity likewise.
  public let highEquity: String?
  /// The fees of all fills.
  public let fees: String?
  /// Realised and unrealised P&L by the average method.
  public let average: Cost
  /// The same by FIFO.
  public let fifo: Cost

  /// P&L by one method.
  public struct Cost: Equatable, Sendable {
    /// Realised, before fees.
    public let realised: String?
    /// At the exit prices.
    public let unrealised: String?
  }
}

/// All positions in one currency: topic `conversion/…` of docs/page-protocol.md.
public struct ConversionState: Equatable, Sendable {
  /// The currency of the total.
  public let currency: String
  /// Decimals to show.
  public let decimals: Scale
  /// The sum of the parts that are converted; nil without one.
  public internal(set) var total: ConvertedTotal?
  /// The currencies that positions are in, by name.
  public internal(set) var parts: [ConversionPart] = []

  /// The currencies to offer: those of positions and the usual ones, by name.
  public static func choices(for currencies: some Sequence<String>) -> [String] {
    Set(["BTC", "EUR", "USD"]).union(currencies).sorted()
  }
}

/// All positions converted into one currency by live spot markets (LT12).
///
/// Each figure of a currency is rounded half to even once, at ``decimals``; amounts in the total's
/// own currency are exact. A currency without a route, a price or a value is left out of all
/// figures.
public struct ConversionScreen: Screen {
  /// Decimals of converted amounts.
  public static let decimals = Scale(clamping: 8)

  /// The current state.
  public private(set) var state: ConversionState

  private let venues: [Venue]
  private let origin: DataOrigin
  private var reports = PositionReports()
  private var sums: [String: CurrencySum] = [:]
  private var listings: [Venue: VenueListing] = [:]
  private var connections: [Venue: ConnectionStatus] = [:]
  private var routes: [String: [ConversionStep]] = [:]
  private var books: [InstrumentKey: BookStream] = [:]

  /// Converts into a currency by markets of open venues; nil if the code can't be a currency's.
  public init?(currency: String, origin: DataOrigin = .venue, closed: Set<Venue> = []) {
    guard BookInstrument.isCurrency(currency) else { return nil }
    self.origin = origin
    venues = Venue.allCases.filter {
      $0.descriptor.listsInstruments && $0.descriptor.pairContract == .base && !closed.contains($0)
    }
    state = ConversionState(currency: currency, decimals: AssetNames.decimals(of: currency))
  }

  /// The venues' lists and the books of all routes, once there is something to convert.
  public var wanted: Set<MarketKey> {
    guard sums.keys.contains(where: { $0 != state.currency }) else { return [] }
    return Set(venues.map(MarketKey.listing)).union(books.values.map(\.key))
  }

  /// Applies positions, lists, books and connection statuses.
  public mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    switch input {
    case .position(let report): return show(reports.sums(with: report))
    case .value(let key, .listing(let listing)) where venues.contains(key.venue):
      let before = listings.updateValue(listing, forKey: key.venue)
      guard before?.instruments != listing.instruments else { return [] }
      return findRoutes(from: wanted)
    default: break
    }
    if case .connection(let status) = input { connections[status.venue] = status }
    guard let news = input.stream else { return [] }
    // `contains` would stop at the first.
    var isNews = false
    for market in books.keys where books[market]?.receive(news) == true { isNews = true }
    if isNews || connectionMatters(input) { convert() }
    return []
  }

  /// A user's action.
  public enum Action: Sendable {
    /// Converts these sums, for a host that has no `position` inputs.
    case show([String: CurrencySum])
  }

  /// Performs an action.
  public mutating func perform(_ action: Action, at now: ClockReading) -> [ScreenEffect] {
    switch action {
    case .show(let sums): show(sums)
    }
  }

  private mutating func show(_ sums: [String: CurrencySum]) -> [ScreenEffect] {
    let (before, isOther) = (wanted, sums.keys != self.sums.keys)
    self.sums = sums
    if isOther { return findRoutes(from: before) }
    convert()
    return []
  }

  /// A connection that fails may end the search for a route.
  private func connectionMatters(_ input: ScreenInput) -> Bool {
    guard case .connection = input else { return false }
    return state.parts.contains { $0.standing == .searching || $0.standing == .noRoute }
  }

  private mutating func findRoutes(from before: Set<MarketKey>) -> [ScreenEffect] {
    let known = venues.compactMap { venue in listings[venue].map { (venue, $0) } }
    routes = [:]
    for currency in sums.keys where currency != state.currency {
      routes[currency] = ConversionRoute.steps(from: currency, to: state.currency, in: known)
    }
    let markets = Set(routes.values.joined().map(\.market))
    books = books.filter { markets.contains($0.key) }
    for market in markets where books[market] == nil {
      var stream = BookStream(MarketKey(market.venue, .book, market.symbol), origin: origin)
      if let status = connections[market.venue] { _ = stream.receive(.connection(status)) }
      books[market] = stream
    }
    convert()
    return wanted == before ? [] : [.wantedChanged]
  }

  // MARK: Converting

  private mutating func convert() {
    var total = CurrencySum()
    var isEmpty = true
    state.parts = sums.sorted { $0.key < $1.key }.map { currency, sum in
      let legs = (routes[currency] ?? []).map(leg)
      var standing = standing(of: currency, sum, legs)
      let converted = standing == .converted ? sum.converted(by: legs) : nil
      if standing == .converted, converted == nil { standing = .tooLarge }
      if let converted {
        total.add(converted)
        isEmpty = false
      }
      return ConversionPart(
        currency: currency, standing: standing, equity: converted?.equity.text, legs: legs)
    }
    state.total = isEmpty ? nil : ConvertedTotal(total)
  }

  private func standing(
    of currency: String, _ sum: CurrencySum, _ legs: [ConversionLeg]
  ) -> ConversionPart.Standing {
    if currency != state.currency, legs.isEmpty { return isSearching ? .searching : .noRoute }
    if legs.contains(where: { $0.price == nil }) { return .noPrice }
    return sum.isValued ? .converted : .noValue
  }

  /// Whether the list of a venue that is connected, or may soon be, is missing.
  private var isSearching: Bool {
    venues.contains { venue in
      guard listings[venue]?.instruments.isEmpty ?? true else { return false }
      return switch connections[venue]?.phase {
      case .backingOff, .stopped, .refused, .stale: false
      default: true
      }
    }
  }

  private func leg(_ step: ConversionStep) -> ConversionLeg {
    let stream = books[step.market]
    return ConversionLeg(
      step: step, price: stream?.value.flatMap(Self.middle),
      freshness: stream?.freshness ?? .waiting(origin))
  }

  /// The exact middle of the best prices.
  private static func middle(of view: BookView) -> FixedDecimal? {
    guard view.isKnown, let bid = view.top.bid?.units, let ask = view.top.ask?.units,
      bid > 0, ask > 0, let scale = Scale(digits: Int(view.priceScale.digits) + 1)
    else { return nil }
    let (sum, overflow) = bid.addingReportingOverflow(ask)
    let (units, isTooLarge) = sum.multipliedReportingOverflow(by: 5)
    return overflow || isTooLarge ? nil : FixedDecimal(units: units, scale: scale).trimmed
  }
}

extension CurrencySum {
  /// The sum in another currency; nil if a figure is too large.
  fileprivate func converted(by legs: [ConversionLeg]) -> CurrencySum? {
    if legs.isEmpty { return self }
    let prices = legs.filter { !$0.step.isInverse }.compactMap(\.price)
    let divisors = legs.filter(\.step.isInverse).compactMap(\.price)
    var result = self
    for figure in Self.figures {
      guard
        let amount = self[keyPath: figure].converted(
          by: prices, over: divisors, decimals: ConversionScreen.decimals)
      else { return nil }
      result[keyPath: figure] = amount
    }
    return result
  }
}

extension ConvertedTotal {
  fileprivate init(_ sum: CurrencySum) {
    equity = sum.equity.text
    (lowEquity, highEquity) = sum.hasRange ? (sum.low.text, sum.high.text) : (nil, nil)
    fees = sum.fees.text
    average = Cost(sum.average)
    fifo = Cost(sum.fifo)
  }
}

extension ConvertedTotal.Cost {
  fileprivate init(_ sum: CurrencySum.CostSum) {
    (realised, unrealised) = (sum.realised.text, sum.unrealised.text)
  }
}
