import AppState
import MarketModel
import MarketStreams

@testable import LivetapeServer

struct ScriptedScreen: TopicScreen {
  let key: MarketKey?
  var price: FixedDecimal?
  var note = "quiet"
  /// Shows the revision of this instrument's candles.
  var wantedCandles: InstrumentKey?
  /// Requests this product once.
  var product: Symbol?
  var hasAsked = false

  var interests: Set<StreamInterest> {
    Set([key.map { .values($0) }, wantedCandles.map { .candles($0) }].compactMap { $0 })
  }

  var page: PageValue {
    var object = PageObject()
    object.set("note", text: note)
    object.set("price", decimal: price)
    return object.value
  }

  mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    if case .value(_, .quote(let quote)) = input { price = quote.price }
    if case .timer = input, let product, !hasAsked {
      hasAsked = true
      return [.fetchProduct(product)]
    }
    if case .candles(wantedCandles, let candles) = input { note = "revision \(candles.revision)" }
    return []
  }

  mutating func perform(_ action: TopicAction, at now: ClockReading) -> [ScreenEffect] {
    switch action {
    case .stopFeed: return [.stopVenue(.echo)]
    case .retryProduct: return product.map { [.fetchProduct($0)] } ?? []
    case .retryVenue(let venue): return [.retryVenue(venue)]
    default: return []
    }
  }
}

extension TopicCatalogue {
  /// "quote/X" and "quote/X/…" follow X's quote; "candles/X" shows X's candles; "plain/…" follows
  /// nothing; "product/P" requests P; "feed" and "status" take actions.
  static let scripted = TopicCatalogue { name in
    let parts = name.split(separator: "/")
    if parts.count >= 2, parts[0] == "quote", let symbol = Symbol(String(parts[1])) {
      return ScriptedScreen(key: MarketKey(.isin, .quote, symbol))
    }
    if parts.count == 2, parts[0] == "candles", let symbol = Symbol(String(parts[1])) {
      return ScriptedScreen(key: nil, wantedCandles: InstrumentKey(.exchange, symbol))
    }
    if parts.count == 2, parts[0] == "product", let symbol = Symbol(String(parts[1])) {
      return ScriptedScreen(key: nil, product: symbol)
    }
    return name.hasPrefix("plain/") || name == "feed" || name == "status"
      ? ScriptedScreen(key: nil) : nil
  }
}
