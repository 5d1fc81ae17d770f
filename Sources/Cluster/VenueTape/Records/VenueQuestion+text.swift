import MarketModel
import VenueProtocols

extension VenueQuestion {
  /// The maximum length of a word: a name in the venue's spelling.
  private static let maximumWordBytes = 80

  /// The request as text.
  ///
  /// "names currencies", "names tokens", "condition", "candles MILLISECONDS NAME", "trades CURSOR
  /// NAME", "trades-before NUMBER NAME", "tickers", "product SYMBOL"; NUMBER is "-" for the newest.
  var text: String {
    switch self {
    case .history(.names(.currencies), _): "names currencies"
    case .history(.names(.tokens), _): "names tokens"
    case .history(.condition, _): "condition"
    case .history(.candles(let interval), let name): "candles \(interval.milliseconds) \(name)"
    case .history(.trades(let cursor), let name): "trades \(cursor.text) \(name)"
    case .history(.tradesBefore(let number), let name):
      "trades-before \(number.map(String.init) ?? "-") \(name)"
    case .tickers: "tickers"
    case .product(let symbol): "product \(symbol.text)"
    }
  }

  init?(text: some StringProtocol) {
    let words = String(text).split(separator: " ", omittingEmptySubsequences: false)
      .map { String($0) }
    guard words.count <= 3, words.allSatisfy(VenueQuestion.isWord) else { return nil }
    switch (words[0], words.count) {
    case ("names", 2) where words[1] == "currencies": self = .history(.names(.currencies), name: "")
    case ("names", 2) where words[1] == "tokens": self = .history(.names(.tokens), name: "")
    case ("condition", 1): self = .history(.condition, name: "")
    case ("candles", 3):
      guard let length = Int64(words[1]), let interval = CandleInterval(milliseconds: length)
      else { return nil }
      self = .history(.candles(interval), name: words[2])
    case ("trades", 3): self = .history(.trades(after: HistoryCursor(words[1])), name: words[2])
    case ("trades-before", 3):
      let number = Int64(words[1])
      guard number ?? 0 > 0 || words[1] == "-" else { return nil }
      self = .history(.tradesBefore(number), name: words[2])
    case ("tickers", 1): self = .tickers
    case ("product", 2):
      guard let symbol = Symbol(words[1]) else { return nil }
      self = .product(symbol)
    default: return nil
    }
  }

  private static func isWord(_ word: String) -> Bool {
    (1...maximumWordBytes).contains(word.utf8.count)
      && word.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }
}
