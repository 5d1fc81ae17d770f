import WireJSON

/// One connection's stream requests without a snapshot yet.
///
/// Counted by the bytes on the wire, without the session's rules: a book is a large message and is
/// not requested again while one is pending.
struct ResyncWatch {
  /// How long a session waits for a snapshot before it requests it again, in milliseconds.
  static let patienceMilliseconds: Int64 = 10_000

  private struct Request {
    var askedAt: Int64
    var endedAt: Int64?
  }

  private var requests: [String: Request] = [:]
  private(set) var news = BookNews()

  static func isRequest(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes.prefix(24), as: UTF8.self)
    return text.contains("\"subscribe\"")
  }

  /// Receives the hub's message; returns a problem, or nil.
  mutating func say(_ bytes: [UInt8], at milliseconds: Int64) -> String? {
    news.say(bytes)
    let text = String(decoding: bytes.prefix(28), as: UTF8.self)
    let isAsking = text.contains("\"subscribe\"")
    guard isAsking || text.contains("\"unsubscribe\""), let message = try? PageState(bytes) else {
      return nil
    }
    var problem: String?
    for stream in ResyncWatch.streams(of: message) {
      if ResyncWatch.isWholeBook(stream), let symbol = ResyncWatch.symbol(of: stream) {
        if isAsking {
          news.ask(symbol, at: milliseconds)
        } else {
          news.forget(symbol, at: milliseconds)
        }
      }
      if isAsking {
        problem = problem ?? ask(stream, at: milliseconds)
      } else {
        requests[stream]?.endedAt = milliseconds
      }
    }
    return problem
  }

  private mutating func ask(_ stream: String, at milliseconds: Int64) -> String? {
    let before = requests.updateValue(Request(askedAt: milliseconds), forKey: stream)
    guard let before, before.endedAt == nil || before.endedAt == milliseconds,
      milliseconds - before.askedAt < ResyncWatch.patienceMilliseconds - 1
    else { return nil }
    return "expected no request for \(stream) \(milliseconds - before.askedAt) ms after the last"
  }

  mutating func hear(_ bytes: [UInt8], at milliseconds: Int64) -> String? {
    let snapshot = news.hear(bytes, at: milliseconds)
    guard !requests.isEmpty else { return snapshot }
    if let snapshot {
      for stream in requests.keys where ResyncWatch.isBook(stream, of: snapshot) {
        requests[stream] = nil
      }
    } else if bytes.starts(with: ResyncWatch.bestLevels) {
      // The image of a book's best levels, which is requested along with the book.
      for stream in requests.keys where !ResyncWatch.isWholeBook(stream) {
        guard let symbol = ResyncWatch.symbol(of: stream),
          bytes.prefix(2048).firstRange(of: Array("\"\(symbol)\"".utf8)) != nil
        else { continue }
        requests[stream] = nil
      }
    } else if bytes.starts(with: ResyncWatch.error)
      || bytes.prefix(512).firstRange(of: ResyncWatch.failure) != nil
    {
      requests = [:]
      news.refuse()
    }
    return snapshot
  }

  private static let error = Array("{\"error\"".utf8)
  private static let failure = Array("\"success\":false".utf8)
  private static let bestLevels = Array(#"{"table":"orderBookL2_25","action":"partial""#.utf8)

  /// Whether a stream is a whole book, not only its best levels.
  private static func isWholeBook(_ stream: String) -> Bool {
    stream.hasPrefix("book ") || stream.hasPrefix("orderBookL2 ")
  }

  private static func isBook(_ stream: String, of symbol: String) -> Bool {
    isWholeBook(stream) && ResyncWatch.symbol(of: stream) == symbol
  }

  /// The symbol of "book BTC/USD".
  private static func symbol(of stream: String) -> String? {
    stream.split(separator: " ").last.map(String.init)
  }

  /// The books of a request: "book BTC/USD".
  private static func streams(of message: PageState) -> [String] {
    if let params = message["params"] {
      guard params["channel"]?.text == "book", let symbols = params["symbol"]?.bytes else {
        return []
      }
      return texts(symbols).map { "book \($0)" }
    }
    return texts(message["args"]?.bytes ?? []).filter { $0.hasPrefix("orderBookL2") }.map {
      $0.replacing(":", with: " ")
    }
  }

  private static func texts(_ bytes: [UInt8]) -> [String] {
    bytes.split(separator: UInt8(ascii: "\"")).enumerated().filter { $0.offset % 2 == 1 }.map {
      String(decoding: $0.element, as: UTF8.self)
    }
  }
}
