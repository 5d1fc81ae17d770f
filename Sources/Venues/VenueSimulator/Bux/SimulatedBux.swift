public import MarketModel
import WireJSON

/// The BUX venue with 32 products: REST, and quotes over a WebSocket, both with a bearer token.
///
/// The products are instruments of the simulated market; the price is the middle of the best
/// prices. A seed always gives the same prices, with or without subscribers. The tokens "expired"
/// and "forbidden", and the product "sb00500" (error 500), produce errors for tests.
public struct SimulatedBux: SimulatedVenue {
  /// After a longer pause the market continues from now.
  static let maximumCatchUpMilliseconds: Int64 = 2000
  /// Maximum bytes of a client's message; a longer one closes the connection with 1009.
  public static let maximumMessageBytes = 16 * 1024
  /// The product whose response is always error 500.
  static let brokenProduct = "sb00500"
  private static let otherEventsMilliseconds: Int64 = 15_000
  private static let channelPrefix = "trading.product."

  private let acceptedToken: String?
  private var random: SplitMix64
  private var market: SimulatedMarket
  private var products: [BuxProductState]
  private let indexes: [String: Int]
  private var otherEventDue: Timestamp
  /// The subscribers of each product by its index; absent for a product without any.
  private var listeners: [Int: Set<ClientID>] = [:]
  private var connected: Set<ClientID> = []
  private var writer = JSONWriter()

  /// Creates a venue that starts trading at `start`.
  ///
  /// - Parameters:
  ///   - seed: The seed of every price.
  ///   - start: When trading starts.
  ///   - acceptedToken: The only accepted bearer token; nil to accept any.
  ///   - stockStartCents: Start prices of stocks in cents, by ISIN, in the currency that they trade
  ///     in: dollars for ISINs of the United States, euros for others.
  public init(
    seed: UInt64, start: Timestamp, acceptedToken: String? = nil,
    stockStartCents: [String: Int64] = [:]
  ) {
    self.acceptedToken = acceptedToken
    random = SplitMix64(seed: SeedText.seed(seed, "bux feed"))
    let stocks = Dictionary(
      SharedStock.all(startCents: stockStartCents).map { ($0.isin, $0) }
    ) { first, _ in first }
    market = SimulatedMarket(
      seed: seed, start: start, BuxCatalogue.listings.map { $0.listing(stocks) })
    // No two products share an instrument, so market and list have the same indexes.
    products = BuxCatalogue.listings.enumerated().map { index, listing in
      BuxProductState(listing, instrument: index, seed: seed, start: start)
    }
    var indexes: [String: Int] = [:]
    for (index, listing) in BuxCatalogue.listings.enumerated() {
      indexes[listing.identifier] = index
    }
    self.indexes = indexes
    otherEventDue = start.adding(milliseconds: SimulatedBux.otherEventsMilliseconds)
  }

  /// Refuses every path but the feed's with 404; an invalid token is reported on the feed instead.
  public mutating func refusal(of request: VenueRequest, at now: Timestamp) -> VenueResponse? {
    request.path == "/subscriptions/me" ? nil : VenueResponse(status: 404, body: [])
  }

  /// Sends `connect.connected`, or `connect.failed` and nothing else.
  public mutating func connect(
    _ client: ClientID, _ request: VenueRequest, at now: Timestamp
  ) -> [VenueEffect] {
    if let error = feedError(request) {
      return [.send(to: [client], bytes: error.feedEvent, binary: false)]
    }
    connected.insert(client)
    let bytes = JSONWriter.object { writer in
      writer.object("body") { writer in
        writer.member("userId", "bb0cda2b-a10e-4ed3-ad5a-0f82b4c152c4")
        writer.member("sessionId", identifier())
        writer.member("time", now.milliseconds)
      }
      writer.member("t", "connect.connected")
    }
    return [.send(to: [client], bytes: bytes, binary: false)]
  }

  /// Changes subscriptions, from text and binary messages alike; anything else is ignored.
  public mutating func receive(
    _ bytes: [UInt8], binary: Bool, from client: ClientID, at now: Timestamp
  ) -> [VenueEffect] {
    guard connected.contains(client) else { return [] }
    guard bytes.count <= SimulatedBux.maximumMessageBytes else {
      return [.close(client, code: 1009, reason: "message too big")]
    }
    let slice = bytes[...]
    guard let change = try? BuxSubscriptionChange(slice.span) else { return [] }
    for channel in change.subscribed {
      if let index = index(ofChannel: channel) { listeners[index, default: []].insert(client) }
    }
    for channel in change.unsubscribed {
      if let index = index(ofChannel: channel) { listeners[index]?.remove(client) }
    }
    return []
  }

  /// Removes the client and its subscriptions.
  public mutating func disconnect(_ client: ClientID) {
    connected.remove(client)
    for index in products.indices { listeners[index]?.remove(client) }
  }

  /// Responds to requests for one product, the list and the search.
  public mutating func respond(to request: VenueRequest, at now: Timestamp) -> VenueResponse? {
    guard let target = BuxTarget(request) else { return nil }
    let authorization = request.headers["authorization"]
    if let error = BuxError.of(authorization: authorization, acceptedToken: acceptedToken) {
      return error.response
    }
    var answer = JSONWriter(capacity: 2048)
    switch target {
    case .product(SimulatedBux.brokenProduct): return BuxError.unexpected.response
    case .product(let identifier):
      guard let index = indexes[identifier] else { return VenueResponse(status: 404, body: []) }
      write(index, at: now, to: &answer)
    case .search(let words):
      answer.beginArray()
      for index in products.indices where target.matches(products[index].listing, words) {
        write(index, at: now, to: &answer)
      }
      answer.endArray()
    }
    return .json(answer, headers: ["cache-control": "no-cache, no-store"])
  }

  private mutating func write(_ index: Int, at now: Timestamp, to answer: inout JSONWriter) {
    let product = products[index]
    let top = market.look(product.instrument, at: now)
    let midnight = Timestamp(milliseconds: now.milliseconds / 86_400_000 * 86_400_000)
    let prices = BuxPrices(
      top, market.instruments[product.instrument].value,
      midnight: market.microseconds(at: midnight), now: market.microseconds(at: now))
    product.listing.write(prices, to: &answer)
  }

  /// Makes the quotes and events that are due, in order.
  public mutating func advance(to now: Timestamp) -> [VenueEffect] {
    skipPause(now)
    var effects: [VenueEffect] = []
    while let due = nextEvent, due <= now {
      if due == otherEventDue {
        sendOtherEvent(&effects)
      } else if let index = products.firstIndex(where: { $0.due == due && $0.listing.isOpen }) {
        sendQuote(of: index, at: due, &effects)
      }
    }
    return effects
  }

  /// When the next quote or event is due, in O(products).
  public var nextEvent: Timestamp? {
    var next = otherEventDue
    for product in products where product.listing.isOpen && product.due < next {
      next = product.due
    }
    return next
  }

  private mutating func skipPause(_ now: Timestamp) {
    let earliest = now.adding(milliseconds: -SimulatedBux.maximumCatchUpMilliseconds)
    guard let next = nextEvent, next < earliest else { return }
    for index in products.indices { products[index].skip(to: earliest) }
    otherEventDue = max(otherEventDue, earliest)
  }

  private mutating func sendQuote(
    of index: Int, at time: Timestamp, _ effects: inout [VenueEffect]
  ) {
    products[index].planNext()
    let identifier = identifier()
    let isOldShape = random.chance(1, of: 8)
    let isTwice = random.chance(1, of: 40)
    guard let clients = listeners[index], !clients.isEmpty else { return }
    let listing = products[index].listing
    let price = BuxPrices.current(market.look(products[index].instrument, at: time))
    writer.removeAll()
    if isOldShape {
      writeOldQuote(of: listing, price, time)
    } else {
      writeQuote(of: listing, price, identifier)
    }
    let effect = VenueEffect.send(to: clients.sorted(), bytes: writer.bytes, binary: false)
    effects.append(effect)
    if isTwice { effects.append(effect) }
  }

  /// The format of the later server.
  private mutating func writeQuote(of listing: BuxListing, _ price: Int64, _ identifier: String) {
    writer.object { writer in
      writer.member("t", "trading.quote")
      writer.member("id", identifier)
      writer.member("v", 2)
      writer.object("body") { writer in
        writer.member("securityId", listing.identifier)
        writer.key("currentPrice")
        listing.writePrice(price, to: &writer)
      }
    }
  }

  /// The format of the mock server that came with the assignment: the type last, no identifier.
  private mutating func writeOldQuote(of listing: BuxListing, _ price: Int64, _ time: Timestamp) {
    writer.object { writer in
      writer.object("body") { writer in
        writer.member("securityId", listing.identifier)
        writer.key("currentPrice")
        listing.writePrice(price, to: &writer)
        writer.member("timeStamp", time.milliseconds)
      }
      writer.member("t", "trading.quote")
    }
  }

  /// An unrequested event, which clients must ignore.
  private mutating func sendOtherEvent(_ effects: inout [VenueEffect]) {
    otherEventDue = otherEventDue.adding(milliseconds: SimulatedBux.otherEventsMilliseconds)
    let identifier = identifier()
    let value = 10_000_000 + random.below(1_000_000)
    let kind = random.below(3)
    guard !connected.isEmpty else { return }
    writer.removeAll()
    writer.object { writer in
      writer.member(
        "t",
        ["portfolio.performance", "social.position.opened", "notifications.update.v2"][Int(kind)])
      writer.member("id", identifier)
      writer.member("v", 1)
      writer.object("body") { writer in
        writer.object("accountValue") { writer in
          writer.member("currency", "BUX")
          writer.member("decimals", 2)
          writer.member("amount", decimal: FixedDecimal(units: value, scale: Scale(clamping: 2)))
        }
      }
    }
    effects.append(.send(to: connected.sorted(), bytes: writer.bytes, binary: false))
  }

  private func feedError(_ request: VenueRequest) -> BuxError? {
    let authorization = request.headers["authorization"]
    let error = BuxError.of(authorization: authorization, acceptedToken: acceptedToken)
    return error == .missingHeader ? .missingTokenOnFeed : error
  }

  private func index(ofChannel channel: String) -> Int? {
    guard channel.hasPrefix(SimulatedBux.channelPrefix) else { return nil }
    return indexes[String(channel.dropFirst(SimulatedBux.channelPrefix.count))]
  }

  private mutating func identifier() -> String { GUIDText.text(random.next(), random.next()) }
}

enum BuxTarget: Equatable {
  case product(String)
  /// All products whose symbol, name or identifier contains this text; all for "".
  case search(String)

  /// Parses `[/core/{n}]/products[/{id}|/search]`; nil for any other path.
  init?(_ request: VenueRequest) {
    var parts = request.path.split(separator: "/", omittingEmptySubsequences: true)[...]
    if parts.first == "core" {
      guard parts.count >= 2, parts[parts.startIndex + 1].allSatisfy(\.isNumber) else { return nil }
      parts = parts.dropFirst(2)
    }
    guard parts.first == "products" else { return nil }
    switch parts.dropFirst().first {
    case nil: self = .search("")
    case "search" where parts.count == 2: self = .search(request.queryValue("q") ?? "")
    case let identifier? where parts.count == 2: self = .product(String(identifier))
    default: return nil
    }
  }

  func matches(_ listing: BuxListing, _ words: String) -> Bool {
    if words.isEmpty { return true }
    let wanted = Array(words.lowercased().utf8)
    return [listing.symbol, listing.name, listing.identifier].contains { text in
      let bytes = Array(text.lowercased().utf8)
      guard wanted.count <= bytes.count else { return false }
      return (0...(bytes.count - wanted.count)).contains { start in
        bytes[start..<(start + wanted.count)].elementsEqual(wanted)
      }
    }
  }
}

/// The channels of one message; either list may be missing or empty.
struct BuxSubscriptionChange: Sendable, Equatable {
  static let maximumChannels = 200
  /// The longest channel name, in bytes.
  static let maximumNameBytes = 128

  var subscribed: [String] = []
  var unsubscribed: [String] = []

  init(_ bytes: Span<UInt8>) throws(JSONError) {
    var cursor = JSONCursor()
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "subscribeTo": subscribed = try BuxSubscriptionChange.channels(bytes, &cursor)
      case "unsubscribeFrom": unsubscribed = try BuxSubscriptionChange.channels(bytes, &cursor)
      default: break
      }
    }
    try cursor.finish(bytes)
  }

  private static func channels(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> [String] {
    if try cursor.takeNullIfPresent(bytes) { return [] }
    var channels: [String] = []
    try cursor.elements(bytes) { (cursor) throws(JSONError) in
      let channel = try cursor.text(bytes, maximumBytes: maximumNameBytes)
      if channels.count < maximumChannels { channels.append(channel) }
    }
    return channels
  }
}
