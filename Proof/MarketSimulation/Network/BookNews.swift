// What the hub can know of a venue's books by what has come over one connection: when it asked,
// when the rows came, when anything came last. Read off the bytes, without the session's rules.

/// What one connection has brought of its books.
struct BookNews {
  /// When the venue last said anything that shows that it sends what happens, in milliseconds.
  private(set) var heardAt: Int64 = .min
  /// When the venue had last answered all that it was asked of whether it is there, in
  /// milliseconds.
  private(set) var answeredAt: Int64 = .min
  /// Questions without an answer; those that measure the venue's clock have a number, and are none.
  private var questions = 0
  /// When each book's latest message came, of those that are whole, by symbol.
  private(set) var books: [String: Int64] = [:]
  /// The longest pause between two messages of each book, in milliseconds, by symbol.
  private(set) var pauses: [String: Int64] = [:]
  /// The books that were asked for and have not come, by symbol.
  private(set) var asked: Set<String> = []
  /// The books that the hub has let go of, and when.
  private var forgotten: [String: Int64] = [:]
  /// The books that were let go of and asked for again later: their rows are gone.
  private(set) var lost: Set<String> = []

  /// When the venue had listed its pairs, in milliseconds; all books that are wanted are asked for
  /// then.
  private var listedAt: Int64?
  /// All books that were asked for.
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

  /// The books of which the hub has no rows any more.
  var gone: Set<String> { lost.union(forgotten.keys) }

  /// Takes what the hub says: whether the venue is asked if it is there.
  mutating func say(_ bytes: [UInt8]) {
    if bytes == BookNews.krakensPing || bytes == BookNews.bitmexsPing { questions += 1 }
  }

  /// A book was asked for.
  mutating func ask(_ symbol: String, at milliseconds: Int64) {
    books[symbol] = nil
    asked.insert(symbol)
    // Who lets go and asks at one moment wants new rows, and keeps the old ones meanwhile.
    if let time = forgotten.removeValue(forKey: symbol), time < milliseconds { lost.insert(symbol) }
    // Who is asked for after all others was not wanted when they were: its rows of an earlier
    // connection were let go of without a word.
    if everAsked.insert(symbol).inserted, let listedAt, listedAt < milliseconds {
      lost.insert(symbol)
    }
  }

  /// A book is not wanted any more.
  mutating func forget(_ symbol: String, at milliseconds: Int64) {
    books[symbol] = nil
    asked.remove(symbol)
    forgotten[symbol] = milliseconds
  }

  /// The venue has refused what was asked for.
  mutating func refuse() { asked = [] }

  /// Takes what the venue says; the symbol of a snapshot.
  mutating func hear(_ bytes: [UInt8], at milliseconds: Int64) -> String? {
    if bytes.count <= 4 || bytes.starts(with: BookNews.pong) {
      // One without its end can't be read, and one with a number answers another question.
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
    // A partial says first which symbol was asked for, after its keys and types.
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

  /// The first symbol that is named; in a partial that of its filter.
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

  /// Where a text ends that stands in another; the library's own search is generic, and took a
  /// thirtieth of a course.
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
