import MarketModel

/// The clients of a venue, each with the venue's state of it, also by topic, so that a change is
/// encoded once for all.
struct VenueClients<Topic: Hashable & Sendable, State: Sendable>: Sendable, ClientRegistry {
  private var states: [ClientID: State] = [:]
  var topics = TopicListeners<Topic>()

  /// All clients, by number.
  var all: [ClientID] { states.keys.sorted() }

  mutating func add(_ client: ClientID, _ state: State) { states[client] = state }

  func contains(_ client: ClientID) -> Bool { states[client] != nil }

  mutating func remove(_ client: ClientID) {
    topics.remove(client)
    states[client] = nil
  }

  /// A client's state; nil once it has gone, and never set then.
  subscript(client: ClientID) -> State? {
    get { states[client] }
    set { if states[client] != nil { states[client] = newValue } }
  }

  /// The clients with such a state, by number.
  func filter(_ isIncluded: (State) -> Bool) -> [ClientID] {
    states.filter { isIncluded($0.value) }.keys.sorted()
  }

  /// Removes such clients and closes their connections.
  mutating func close(
    code: UInt16, reason: String, where isIncluded: (State) -> Bool
  ) -> [VenueEffect] {
    filter(isIncluded).map { client in
      remove(client)
      return .close(client, code: code, reason: reason)
    }
  }
}

/// A channel of one pair, or of the whole venue.
struct PairTopic<Channel: Hashable & Sendable>: Hashable, Sendable {
  let channel: Channel
  /// The index of the pair; nil for channels of the whole venue.
  let pair: Int?
}

/// The clients of a venue by topic, so that a change is encoded once for all.
struct TopicListeners<Topic: Hashable & Sendable>: Sendable {
  private var topicsByClient: [ClientID: [Topic]] = [:]
  private var clientsByTopic: [Topic: [ClientID]] = [:]

  /// A client's subscriptions, oldest first.
  func topics(of client: ClientID) -> [Topic] { topicsByClient[client] ?? [] }

  /// The subscribers of a topic, in order of subscription.
  func clients(of topic: Topic) -> [ClientID] { clientsByTopic[topic] ?? [] }

  /// Topics with subscribers.
  var topics: some Collection<Topic> { clientsByTopic.keys }

  func contains(_ client: ClientID, _ topic: Topic) -> Bool { topics(of: client).contains(topic) }

  /// Adds a subscription that the client does not have yet.
  mutating func insert(_ client: ClientID, _ topic: Topic) {
    guard !contains(client, topic) else { return }
    topicsByClient[client, default: []].append(topic)
    clientsByTopic[topic, default: []].append(client)
  }

  mutating func remove(_ client: ClientID, _ topic: Topic) {
    topicsByClient[client]?.removeAll { $0 == topic }
    clientsByTopic[topic]?.removeAll { $0 == client }
    if clientsByTopic[topic]?.isEmpty == true { clientsByTopic[topic] = nil }
  }

  mutating func remove(_ client: ClientID) {
    for topic in topics(of: client) { remove(client, topic) }
    topicsByClient[client] = nil
  }
}
