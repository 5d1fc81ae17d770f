import MarketModel
import VenueProtocols

/// The observers of a hub, by ID and by stream; on its event loop only.
struct ObserverTable {
  enum Handler {
    /// Receives the newest value, once a frame.
    case values(@Sendable (MarketKey, MarketValue) -> Void)
    /// Notified at once that the value may have changed; reads it itself.
    case changes(@Sendable (MarketKey) -> Void)
    /// Receives every event immediately.
    case events(@Sendable (MarketKey, MarketEvent, ClockReading) -> Void)
  }

  struct Observer {
    let keys: Set<MarketKey>
    let handler: Handler
  }

  private var observers: [UInt64: Observer] = [:]
  /// In ascending order.
  private var numbers: [MarketKey: [UInt64]] = [:]

  var keys: Dictionary<MarketKey, [UInt64]>.Keys { numbers.keys }

  subscript(id: UInt64) -> Observer? { observers[id] }

  func count(of key: MarketKey) -> Int { numbers[key]?.count ?? 0 }

  /// The observers of a stream, the oldest first.
  func handlers(of key: MarketKey) -> some Sequence<Handler> {
    (numbers[key] ?? []).lazy.compactMap { observers[$0]?.handler }
  }

  func areValuesWanted(of key: MarketKey) -> Bool {
    handlers(of: key).contains { if case .values = $0 { true } else { false } }
  }

  mutating func add(_ id: UInt64, _ observer: Observer) {
    observers[id] = observer
    for key in observer.keys {
      let place = numbers[key]?.firstIndex { $0 > id } ?? count(of: key)
      numbers[key, default: []].insert(id, at: place)
    }
  }

  mutating func remove(_ id: UInt64) -> Observer? {
    guard let observer = observers.removeValue(forKey: id) else { return nil }
    for key in observer.keys {
      numbers[key]?.removeAll { $0 == id }
      if numbers[key]?.isEmpty == true { numbers[key] = nil }
    }
    return observer
  }

  mutating func removeAll() { self = ObserverTable() }
}
