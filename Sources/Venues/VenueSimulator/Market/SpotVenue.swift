import MarketModel
import OrderMatching
import WireJSON

/// The state of a pair as its clients have received it.
protocol PublishedPair {
  /// The last book sent.
  var book: TopLevels { get }
}

/// A simulated venue with spot pairs in tethers, which publishes their books at intervals.
protocol SpotVenue: ScheduledVenue
where Clients == VenueClients<PairTopic<Channel>, ClientState> {
  associatedtype Channel: Hashable, Sendable, RawRepresentable where Channel.RawValue == String
  associatedtype ClientState: Sendable
  associatedtype Published: PublishedPair

  var pairs: [SpotPair] { get }
  var published: [Published] { get }

  func newState(at now: Timestamp) -> ClientState
  /// A message of a stream as each of these clients receives it.
  func framed(_ bytes: [UInt8], for clients: [ClientID]) -> [VenueEffect]
  /// Records that these clients are sent a message.
  mutating func noteSent(to clients: [ClientID], at time: Timestamp)
}

extension SpotVenue {
  /// The listed symbols.
  public var symbols: [String] { pairs.map(\.symbol) }

  var areListening: Bool { clients.topics.topics.contains { $0.pair != nil } }

  mutating func admit(_ client: ClientID, at now: Timestamp) -> [VenueEffect] {
    clients.add(client, newState(at: now))
    return []
  }

  func framed(_ bytes: [UInt8], for clients: [ClientID]) -> [VenueEffect] {
    [.send(to: clients, bytes: bytes, binary: false)]
  }

  mutating func noteSent(to clients: [ClientID], at time: Timestamp) {}

  func index(of symbol: String?) -> Int? { pairs.firstIndex { $0.symbol == symbol } }

  /// The subscribers of a pair's channel, in order of subscription.
  func listeners(_ channel: Channel, _ pair: Int) -> [ClientID] {
    clients.topics.clients(of: PairTopic(channel: channel, pair: pair))
  }

  /// Sends a message to the subscribers of a pair's channel; without any it is not encoded.
  mutating func send(
    _ bytes: @autoclosure () -> [UInt8], _ channel: Channel, _ pair: Int, at time: Timestamp,
    _ effects: inout [VenueEffect]
  ) {
    let listeners = listeners(channel, pair)
    guard !listeners.isEmpty else { return }
    noteSent(to: listeners, at: time)
    effects += framed(bytes(), for: listeners)
  }

  func reply(_ client: ClientID, _ bytes: [UInt8]) -> VenueEffect {
    .send(to: [client], bytes: bytes, binary: false)
  }

  package func publishedLevels(
    _ symbol: Symbol, depth: Int
  ) -> (bids: [TrueLevel], asks: [TrueLevel])? {
    index(of: symbol.text).map { pairs[$0].trueLevels(published[$0].book.cut(to: depth)) }
  }

  package func bestLevels(_ symbol: Symbol, depth: Int) -> (bids: [TrueLevel], asks: [TrueLevel])? {
    index(of: symbol.text).map {
      pairs[$0].trueLevels(TopLevels(market.instruments[$0], depth: depth))
    }
  }

  package func streams(of client: ClientID) -> [String] {
    clients.topics.topics(of: client).map { topic in
      topic.pair.map { "\(topic.channel.rawValue) \(pairs[$0].symbol)" } ?? topic.channel.rawValue
    }.sorted()
  }
}
