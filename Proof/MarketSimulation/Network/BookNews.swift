/// What the hub can infer of a venue's books from one connection: request times, row times and the
/// last message.
///
/// Read from the bytes, without the session's rules.
struct BookNews {
  /// When the venue last sent a sign that its stream is current, in milliseconds.
  private(set) var heardAt: Int64 = .min
  /// When the venue last had responded to all liveness requests, in milliseconds.
  private(set) var answeredAt: Int64 = .min
  /// Pending liveness requests; those that measure the venue's clock have a number and don't count.
  private var questions = 0
  /// When each book's latest intact message arrived, by symbol.
  private(set) var books: [String: Int64] = [:]
  /// The longest pause between two messages of each book, in milliseconds, by symbol.
  private(set) var pauses: [String: Int64] = [:]
  private(set) var asked: Set<String> = []
  /// The books that the hub unsubscribed, with the time.
  private var forgotten: [String: Int64] = [:]
  /// The books that were unsubscribed and later requested again: their rows are gone.
  private(set) var lost: Set<String> = []

  /// When the venue had listed its pairs, in milliseconds; all subscribed books are requested then.
  private var listedAt: Int64?
  private var everAsked: Set<String> = []

  private static let list = Array("{\"channel\":\"instrument\",\"type\":\"snapshot\"".utf8)
  private static let kraken = Array("{\"channel\":\"book\",\"type\":\"".utf8)
  private static let bitmex = Array("{\"table\":\"orderBookL2\",\"action\":\"".utf8)
  private static let pong = Array("{\"method\":\"pong\"".utf8)
  private static let numberedPong = Array("{\"method\":\"pong\",\"req_id\"".utf8)
  private static let krakensPing = Array("{\"method\":\"ping\"}".utf8)
  private static let bitmexsPing = Array("ping".utf8)
  private static let bitmexsPong = Array("pong".utf8)
  private static let filter = Array("\"filter\":".utf8)
  private static let symbol = Array("\"symbol\":\"".utf8)
  private static let quote = UInt8(ascii: "\"")

  /// The books without rows at the hub.
  var gone: Set<String> { lost.union(forgotten.keys) }

  /// Records the hub's liveness requests.
  mutating func say(_ bytes: [UInt8]) {
    if bytes == BookNews.krakensPing || bytes == BookNews.bitmexsPing { questions += 1 }
  }

  mutating func ask(_ symbol: String, at milliseconds: Int64) {
    books[symbol] = nil
    asked.insert(symbol)
    // Unsubscribing and requesting at one moment replaces rows and keeps the old ones meanwhile.
    if let time = forgotten.removeValue(forKey: symbol), time < milliseconds { lost.insert(symbol) }
    // A book that is requested after all others was not subscribed then: its rows of an earlier
    // connection were dropped.
    if everAsked.insert(symbol).inserted, let listedAt, listedAt < milliseconds {
      lost.insert(symbol)
    }
  }

  mutating func forget(_ symbol: String, at milliseconds: Int64) {
    books[symbol] = nil
    asked.remove(symbol)
    forgotten[symbol] = milliseconds
  }

  mutating func refuse() { asked = [] }

  /// Receives the venue's message; returns the symbol of a snapshot.
  mutating func hear(_ bytes: [UInt8], at milliseconds: Int64) -> String? {
    if bytes.count <= 4 || bytes.starts(with: BookNews.pong) {
      // One without its end can't be parsed, and one with a number responds to another request.
      let isWhole = bytes.last == UInt8(ascii: "}") || bytes == BookNews.bitmexsPong
      guard isWhole, !bytes.starts(with: BookNews.numberedPong) else { return nil }
      questions = max(0, questions - 1)
      if questions == 0 { answeredAt = milliseconds }
      return nil
    }
    heardAt = milliseconds
    if listedAt == nil, bytes.starts(with: BookNews.list) { listedAt = milliseconds }
    let isKrakens = bytes.starts(with: BookNews.kraken)
    guard isKrakens || bytes.starts(with: BookNews.bitmex) else { return nil }
    let place = isKrakens ? BookNews.kraken.count : BookNews.bitmex.count
    guard place < bytes.count else { return nil }
    let isSnapshot = bytes[place] == UInt8(ascii: isKrakens ? "s" : "p")
    // A partial names the requested symbol first, after its keys and types.
    guard let name = BookNews.name(in: bytes, from: place, isFiltered: isSnapshot && !isKrakens)
    else { return nil }
    if isSnapshot {
      books[name] = milliseconds
      asked.remove(name)
      lost.remove(name)
      return name
    }
    guard let before = books[name] else { return nil }
    pauses[name] = max(pauses[name] ?? 0, milliseconds - before)
    books[name] = milliseconds
    return nil
  }

  /// The first symbol in a message; in a partial that of its filter.
  private static func name(in bytes: [UInt8], from place: Int, isFiltered: Bool) -> String? {
    let part = bytes.span.extracting(place..<min(bytes.count, place + 2048))
    var start = 0
    if isFiltered {
      guard let end = end(of: filter, in: part, from: 0) else { return nil }
      start = end
    }
    guard let first = end(of: symbol, in: part, from: start) else { return nil }
    var last = first
    while last < part.count, part[last] != quote { last += 1 }
    guard last < part.count else { return nil }
    return String(decoding: bytes[(place + first)..<(place + last)], as: UTF8.self)
  }

  /// The end of a text within another; the library's own search is generic, and took a thirtieth of
  /// a course.
  private static func end(of text: [UInt8], in bytes: Span<UInt8>, from start: Int) -> Int? {
    var place = start
    while place + text.count <= bytes.count {
      var length = 0
      while length < text.count, bytes[place + length] == text[length] { length += 1 }
      if length == text.count { return place + length }
      place += 1
    }
    return nil
  }
}
