// Who observes which streams, and how; part of the hub's state, on its event loop only.

import MarketModel
import VenueProtocols

/// The observers of a hub, by number and by stream.
struct ObserverTable {
  /// What an observer wants to hear.
  enum Handler {
    /// The newest value, once a frame.
    case values(@Sendable (MarketKey, MarketValue) -> Void)
    /// That the value may be another, at once; it reads the value when it likes.
    case changes(@Sendable (MarketKey) -> Void)
    /// Everything that happens, as it happens.
    case events(@Sendable (MarketKey, MarketEvent, ClockReading) -> Void)
  }

  /// One call of `observe`.
  struct Observer {
    let keys: Set<MarketKey>
    let handler: Handler
  }

  private var observers: [UInt64: Observer] = [:]
  /// In order of their numbers.
  private var numbers: [MarketKey: [UInt64]] = [:]

  /// The streams that somebody observes.
  var keys: Dictionary<MarketKey, [UInt64]>.Keys { numbers.keys }

  subscript(id: UInt64) -> Observer? { observers[id] }

  /// How many observe a stream.
  func count(of key: MarketKey) -> Int { numbers[key]?.count ?? 0 }

  /// The observers of a stream, those that came first at the front.
  func handlers(of key: MarketKey) -> some Sequence<Handler> {
    (numbers[key] ?? []).lazy.compactMap { observers[$0]?.handler }
  }

  /// Whether somebody is to be given a stream's values.
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

  /// Forgets an observer; nil when it is not known.
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
