public import MarketModel
import OrderMatching
import VenueProtocols
import WireJSON

/// The watch list's price stream, modelled on the published server of the Trade Republic challenge.
///
/// It has no acknowledgements and no errors. A command is carried out 10 to 60 ms after it came, so
/// two sent together may be carried out in the other order. Each connection has a timer of 100 to
/// 600 ms that quotes one of its instruments. Prices are the simulated market's, in euros; a name
/// that is no share is quoted as well, because the stream has no errors. Each connection's
/// randomness depends only on the seed and its number.
public struct SimulatedIsinStream: SimulatedVenue {
  /// Subscriptions of one connection; further ones are ignored, because the stream has no errors.
  public static let maximumSubscriptions = 500
  /// Maximum bytes of one message; a longer one cuts the connection.
  public static let maximumMessageBytes = 16 * 1024
  /// Commands of one connection that may wait at a time; one more cuts the connection.
  public static let maximumWaitingCommands = 256
  /// After a longer pause the timers continue from now.
  static let maximumCatchUpMilliseconds: Int64 = 2000

  private enum Event: Sendable {
    case command(ClientID, [UInt8])
    case timer(ClientID)
  }

  private struct Client: Sendable {
    var random: SplitMix64
    var waiting = 0
    var subscriptions: [Subscription] = []
  }

  private struct Subscription: Sendable {
    let key: String
    /// The random first price and the market's price then; nil with stable prices.
    var moved: (to: Int64, from: Int64)?
  }

  private let seed: UInt64
  private let behaviour: IsinStreamBehaviour
  private let dollarShares: Set<String>
  private let euro: FundamentalValue
  private var market: SimulatedMarket
  private var clients: [ClientID: Client] = [:]
  private var events = TimedQueue<Event>()
  private var writer = JSONWriter()

  /// Creates a stream whose market begins at `start`.
  ///
  /// `stockStartCents` has the start prices of shares by ISIN, in cents of the currency that they
  /// trade in: dollars for ISINs of the United States, euros for others.
  public init(
    seed: UInt64, start: Timestamp, behaviour: IsinStreamBehaviour = .usable,
    stockStartCents: [String: Int64] = [:]
  ) {
    self.seed = seed
    self.behaviour = behaviour
    let stocks = SharedStock.all(startCents: stockStartCents)
    dollarShares = Set(stocks.filter(\.isInDollars).map(\.isin))
    market = SimulatedMarket(seed: seed, start: start, stocks.map(\.listing))
    euro = FundamentalValue(
      start: Price(units: Underlying.euroRate), path: Underlying.euro.path(seed: seed))
  }

  /// Starts the connection's timer; sends nothing.
  public mutating func connect(
    _ client: ClientID, _ request: VenueRequest, at now: Timestamp
  ) -> [VenueEffect] {
    var random = SplitMix64(seed: SeedText.seed(seed, "isin client \(client.number)"))
    let gap = 100 + random.below(500)
    clients[client] = Client(random: random)
    events.add(.timer(client), due: now.adding(milliseconds: gap))
    return []
  }

  /// Accepts a command, text or binary; a later `advance` carries it out.
  public mutating func receive(
    _ bytes: [UInt8], binary: Bool, from client: ClientID, at now: Timestamp
  ) -> [VenueEffect] {
    guard clients[client] != nil else { return [] }
    let waiting = clients[client]?.waiting ?? 0
    guard bytes.count <= SimulatedIsinStream.maximumMessageBytes,
      waiting < SimulatedIsinStream.maximumWaitingCommands
    else { return drop(client) }
    let delay = clients[client]?.random.within(10...60) ?? 10
    clients[client]?.waiting += 1
    events.add(.command(client, bytes), due: now.adding(milliseconds: delay))
    return []
  }

  /// Removes the connection and its prices.
  public mutating func disconnect(_ client: ClientID) { clients[client] = nil }

  /// Carries out the commands and timers that are due, in order.
  public mutating func advance(to now: Timestamp) -> [VenueEffect] {
    var effects: [VenueEffect] = []
    while let (due, event) = events.take(dueBy: now) {
      switch event {
      case .command(let client, let bytes): carryOut(bytes, of: client, at: due, &effects)
      case .timer(let client): quoteOne(of: client, due: due, now: now, &effects)
      }
    }
    return effects
  }

  /// When the next command or timer is due.
  public var nextEvent: Timestamp? { events.nextDue }

  private mutating func carryOut(
    _ bytes: [UInt8], of client: ClientID, at due: Timestamp, _ effects: inout [VenueEffect]
  ) {
    guard clients[client] != nil else { return }
    clients[client]?.waiting -= 1
    let slice = bytes[...]
    do throws(JSONError) {
      for command in try IsinCommand.parse(slice.span) {
        switch command {
        case .subscribe(let names): for name in names { subscribe(client, name, at: due, &effects) }
        case .unsubscribe(let names):
          for name in names { clients[client]?.subscriptions.removeAll { $0.key == name.key } }
        }
      }
    } catch {
      effects += behaviour.malformed == .dropsSender ? drop(client) : dropEveryone()
    }
  }

  private mutating func subscribe(
    _ client: ClientID, _ name: IsinName, at due: Timestamp, _ effects: inout [VenueEffect]
  ) {
    guard var state = clients[client] else { return }
    var subscription = Subscription(key: name.key)
    if behaviour.firstPrice == .anywhere {
      let base = price(of: subscription, at: due).price
      subscription.moved = (IsinPrice.anywhere(&state.random), base)
    }
    if let index = state.subscriptions.firstIndex(where: { $0.key == name.key }) {
      state.subscriptions[index] = subscription
    } else {
      guard state.subscriptions.count < SimulatedIsinStream.maximumSubscriptions else { return }
      state.subscriptions.append(subscription)
    }
    clients[client] = state
    effects.append(quote(price(of: subscription, at: due), to: client) { $0.raw(name.json) })
  }

  private mutating func price(of subscription: Subscription, at time: Timestamp) -> IsinPrice {
    let now = market.microseconds(at: time)
    let price: IsinPrice
    if let index = market.index(of: subscription.key) {
      let top = market.look(index, at: time)
      // In 10^-8 dollars, so that the rate keeps its precision.
      let rate = euro.thousandths(at: now)
      price =
        dollarShares.contains(subscription.key)
        ? IsinPrice(top, euro: 100_000_000, dollars: rate) : IsinPrice(top)
    } else {
      price = IsinPrice(unlisted: subscription.key, seed: seed, at: now)
    }
    guard let moved = subscription.moved else { return price }
    return price.rebased(moved.to, from: moved.from)
  }

  private mutating func quoteOne(
    of client: ClientID, due: Timestamp, now: Timestamp, _ effects: inout [VenueEffect]
  ) {
    guard var state = clients[client] else { return }
    let limit = now.adding(milliseconds: -SimulatedIsinStream.maximumCatchUpMilliseconds)
    let time = max(due, limit)
    if !state.subscriptions.isEmpty {
      let index = Int(state.random.below(Int64(state.subscriptions.count)))
      let subscription = state.subscriptions[index]
      let price = price(of: subscription, at: time)
      effects.append(quote(price, to: client) { $0.string(subscription.key) })
    }
    let next = time.adding(milliseconds: 100 + state.random.below(500))
    clients[client] = state
    events.add(.timer(client), due: next)
  }

  private mutating func quote(
    _ price: IsinPrice, to client: ClientID, name: (inout JSONWriter) -> Void
  ) -> VenueEffect {
    writer.removeAll()
    writer.object { writer in
      writer.key("isin")
      name(&writer)
      price.write(to: &writer, digits: behaviour.digits)
    }
    return .send(to: [client], bytes: writer.bytes, binary: false)
  }

  private mutating func drop(_ client: ClientID) -> [VenueEffect] {
    clients[client] = nil
    return [.drop(client)]
  }

  private mutating func dropEveryone() -> [VenueEffect] {
    let all = clients.keys.sorted()
    clients = [:]
    return all.map { .drop($0) }
  }
}
