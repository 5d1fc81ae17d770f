// Values for code with `await`: a slow reader gets the newest value, never a queue of old ones.

public import MarketModel

extension FeedHub {
  /// The values of one stream, newest only; ends when the hub shuts down.
  public func updates(for key: MarketKey) -> AsyncStream<MarketValue> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let observation = observe([key]) { _, value in continuation.yield(value) }
      let end = ends.add { continuation.finish() }
      continuation.onTermination = { [weak self] _ in
        observation.cancel()
        self?.ends.remove(end)
      }
    }
  }
}
