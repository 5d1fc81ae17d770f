import AppState
import MarketModel
import VenueCatalogue
import WireJSON

/// Builds a topic's state member by member; nil values omit their key.
struct PageObject {
  private(set) var fields: [PageField] = []

  var value: PageValue { .object(fields) }

  mutating func set(_ key: String, _ value: PageValue?) {
    if let value { fields.append(PageField(key: key, value: value)) }
  }

  mutating func set(_ key: String, text: String?) {
    guard let text else { return }
    set(key) { $0.string(text) }
  }

  mutating func set(_ key: String, sentence: Sentence?) {
    guard let sentence else { return }
    set(key) { $0.sentence(sentence) }
  }

  mutating func set(_ key: String, integer: (some BinaryInteger)?) {
    guard let integer else { return }
    set(key) { $0.integer(integer) }
  }

  mutating func set(_ key: String, boolean: Bool?) {
    guard let boolean else { return }
    set(key) { $0.boolean(boolean) }
  }

  /// A decimal as a string of digits.
  mutating func set(_ key: String, decimal: FixedDecimal?) {
    guard let decimal else { return }
    set(key) { $0.decimalString(decimal) }
  }

  mutating func set(_ key: String, time: Timestamp?) {
    set(key, integer: time?.milliseconds)
  }

  mutating func set(_ key: String, _ write: (inout JSONWriter) -> Void) {
    var writer = JSONWriter(capacity: 32)
    write(&writer)
    fields.append(PageField(key: key, value: .leaf(writer.bytes)))
  }

  mutating func set<Items: Sequence>(
    _ key: String, array items: Items, _ write: (inout JSONWriter, Items.Element) -> Void
  ) {
    set(key) { $0.array(items, write) }
  }

  /// An array of arrays, one per item; `write` writes their elements.
  mutating func set<Items: Sequence>(
    _ key: String, arrays items: Items, _ write: (inout JSONWriter, Items.Element) -> Void
  ) {
    set(key) { $0.arrays(items, write) }
  }

  mutating func set<Items: Sequence>(
    _ key: String, objects items: Items, _ build: (inout PageObject, Items.Element) -> Void
  ) {
    set(key, array: items) { writer, item in
      var object = PageObject()
      build(&object, item)
      object.value.write(to: &writer)
    }
  }

  mutating func setObject(_ key: String, _ build: (inout PageObject) -> Void) {
    var object = PageObject()
    build(&object)
    fields.append(PageField(key: key, value: object.value))
  }
}

// MARK: - Parts that several topics share

extension PageObject {
  /// State and origin, the silence after which a live value is late, and the last confirmation if
  /// the page shows an age.
  mutating func set(_ key: String, freshness: Freshness) {
    setObject(key) { object in
      object.set("state", text: freshness.state.rawValue)
      object.set("origin", text: freshness.origin.rawValue)
      if freshness.state == .live || freshness.state == .late {
        object.set("lateAfter", integer: freshness.lateAfterMilliseconds.map(PageObject.inSteps))
      }
      switch freshness.state {
      case .late, .stale, .resyncing, .disconnected:
        object.set("confirmedAt", time: freshness.confirmedAt?.wall)
      case .waiting, .queued, .live, .closed: break
      }
    }
  }

  /// Rounded up to half a second, so that jitter does not change the topic.
  private static func inSteps(_ milliseconds: Int64) -> Int64 {
    (min(milliseconds, 86_400_000) + 499) / 500 * 500
  }

  mutating func set(_ key: String, direction: Direction) {
    switch direction {
    case .up: set(key, text: "up")
    case .down: set(key, text: "down")
    case .unchanged: set(key, text: "unchanged")
    }
  }

  mutating func setQuote(price: FixedDecimal?, direction: Direction, changes: UInt64) {
    set("price", decimal: price)
    set("direction", direction: direction)
    set("changes", integer: changes)
  }

  mutating func setDay(of figures: DayFigures) {
    // Without it the figures are of the last 24 hours.
    if case .since(let start) = figures.window { set("since", time: start) }
    set("high", decimal: figures.high)
    set("low", decimal: figures.low)
    set("volume", decimal: figures.volume)
    set("vwap", decimal: figures.vwap)
  }

  mutating func setBest(of figures: DayFigures) {
    set("bid", decimal: figures.bid)
    set("bidSize", decimal: figures.bidSize)
    set("ask", decimal: figures.ask)
    set("askSize", decimal: figures.askSize)
  }

  mutating func set(_ instrument: BookInstrument) {
    set("base", text: instrument.base)
    set("quote", text: instrument.quote)
    set("unit", text: instrument.contract.countsBase ? "base" : "contracts")
  }
}
