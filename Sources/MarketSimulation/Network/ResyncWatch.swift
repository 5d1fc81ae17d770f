// Counts requests for streams by what goes over the wire, without knowing the session's rules: a
// book is a large message, and while one is on its way it is not asked for again.

import WireJSON

/// The requests of one connection that have no snapshot yet.
struct ResyncWatch {
  /// How long a session waits for a snapshot before it asks again, in milliseconds.
  static let patienceMilliseconds: Int64 = 10_000

  private struct Request {
    var askedAt: Int64
    var endedAt: Int64?
  }

  private var requests: [String: Request] = [:]

  /// Whether a message asks for streams.
  static func isRequest(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes.prefix(24), as: UTF8.self)
    return text.contains("\"subscribe\"")
  }

  /// Takes what the hub says; what is wrong with it, or nil.
  mutating func say(_ bytes: [UInt8], at milliseconds: Int64) -> String? {
    let text = String(decoding: bytes.prefix(28), as: UTF8.self)
    let isAsking = text.contains("\"subscribe\"")
    guard isAsking || text.contains("\"unsubscribe\""), let message = try? PageState(bytes) else {
      return nil
    }
    var problem: String?
    for stream in ResyncWatch.streams(of: message) {
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

  /// Takes what the venue says.
  mutating func hear(_ bytes: [UInt8]) {
    guard !requests.isEmpty else { return }
    let text = String(decoding: bytes.prefix(2048), as: UTF8.self)
    let isSnapshot =
      text.hasPrefix("{\"channel\":\"book\",\"type\":\"snapshot\"")
      || text.hasPrefix("{\"table\":\"orderBookL2") && text.contains("\"action\":\"partial\"")
      || text.contains("\"success\":false") || text.contains("\"error\"")
    guard isSnapshot else { return }
    for stream in requests.keys.sorted() {
      let names = stream.split(separator: " ")
      // A book's image and that of its best levels are two: "orderBookL2" and "orderBookL2_25".
      let isOther = text.hasPrefix("{\"table\"") && !text.hasPrefix("{\"table\":\"\(names[0])\"")
      guard let symbol = names.last, !isOther,
        text.contains("\"\(symbol)\"") || text.contains("\"error\"")
      else { continue }
      requests[stream] = nil
    }
  }

  /// The books that a request is about: "book BTC/USD".
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

  /// The texts of an array of texts.
  private static func texts(_ bytes: [UInt8]) -> [String] {
    bytes.split(separator: UInt8(ascii: "\"")).enumerated().filter { $0.offset % 2 == 1 }.map {
      String(decoding: $0.element, as: UTF8.self)
    }
  }
}
