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
