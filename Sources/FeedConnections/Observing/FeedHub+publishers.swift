// Combine publishers for stores: values of a stream, and how connections are doing.

public import Combine
public import MarketModel

extension FeedHub {
  /// The values of one stream on the hub's thread; finishes when the hub shuts down.
  ///
  /// A subscriber that asks for less than comes gets the newest.
  public func publisher(for key: MarketKey) -> AnyPublisher<MarketValue, Never> {
    ConflatingPublisher<MarketKey, MarketValue> { [weak self] value, end in
      guard let self else {
        end()
        return {}
      }
      let observation = observe([key], on: value)
      return ending(observation, end)
    }.eraseToAnyPublisher()
  }

  /// The status of every venue, and each change; finishes when the hub shuts down.
  public var connectionPublisher: AnyPublisher<ConnectionStatus, Never> {
    ConflatingPublisher<Venue, ConnectionStatus> { [weak self] value, end in
      guard let self else {
        end()
        return {}
      }
      let observation = observeConnections { value($0.venue, $0) }
      return ending(observation, end)
    }.eraseToAnyPublisher()
  }

  private func ending(
    _ observation: FeedObservation, _ end: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    let entry = ends.add(end)
    return { [weak self] in
      observation.cancel()
      self?.ends.remove(entry)
    }
  }
}
