import MarketModel
import WireJSON

struct KrakenRequests: BookSessionState {
  static let symbolsPerRequest = 50

  /// Counts requests; `req_id` has the channel in its lowest two bits, which refusals don't
  /// contain.
  private var count: Int64 = 0

  init() {}

  mutating func forgetConnection() {}

  /// As many requests as are needed, one channel each.
  mutating func messages(_ method: StaticString, _ topics: [BookTopic]) -> [OutboundMessage] {
    var messages: [OutboundMessage] = []
    if topics.contains(BookTopic(.details, nil)) {
      messages.append(message(method, .instrument, []))
    }
    for channel in [KrakenChannel.book, .trade, .ticker] {
      let symbols = topics.filter { $0.part == channel.part }.compactMap { $0.symbol }.sorted()
      var start = 0
      while start < symbols.count {
        let end = min(start + KrakenRequests.symbolsPerRequest, symbols.count)
        messages.append(message(method, channel, symbols[start..<end]))
        start = end
      }
    }
    return messages
  }

  static func channel(of identifier: Int64) -> KrakenChannel? {
    identifier < 0 ? nil : KrakenChannel(rawValue: UInt8(identifier & 3))
  }

  private mutating func message(
    _ method: StaticString, _ channel: KrakenChannel, _ symbols: ArraySlice<Symbol>
  ) -> OutboundMessage {
    count &+= 1
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("method", "\(method)")
      writer.object("params") { writer in
        writer.member("channel", channel.name)
        if channel != .instrument {
          writer.member("symbol", array: symbols) { $0.string($1.text) }
        }
        if channel == .book { writer.member("depth", KrakenBookSync.depth) }
        if channel == .ticker {
          // Otherwise bid and ask are those at the last trade, not the current ones.
          writer.member("event_trigger", "bbo")
        }
        if channel == .instrument { writer.member("include_tokenized_assets", true) }
        writer.member("snapshot", true)
      }
      writer.member("req_id", count &* 4 &+ Int64(channel.rawValue))
    }
    return OutboundMessage(.text, writer.bytes)
  }
}

/// Decides when to refetch a list of pairs that lacks a requested pair.
///
/// A row that was damaged in transit, or left out by the venue, must not hide a pair for ever:
/// while a requested pair is missing, the list is refetched, after pauses that double.
struct ListingDoubt: Sendable {
  /// The pauses, in milliseconds.
  static let pauses: (first: Int64, last: Int64) = (10_000, 3_600_000)

  private var pause = ListingDoubt.pauses.first
  private var dueAt: MonotonicTime?

  /// Handles a missing requested pair.
  mutating func begin(at now: MonotonicTime) {
    if dueAt == nil { dueAt = now.adding(milliseconds: pause) }
  }

  /// Handles the end of the connection, or that no pair is missing any more.
  mutating func end() { self = ListingDoubt() }

  /// Whether to request the list now; if so, the next pause begins.
  mutating func isDue(at now: MonotonicTime) -> Bool {
    guard let dueAt, now >= dueAt else { return false }
    pause = min(2 * pause, Self.pauses.last)
    self.dueAt = now.adding(milliseconds: pause)
    return true
  }
}

/// The listed instruments that are left out, because a name or row is unusable here; each once.
struct SkippedListings: Sendable {
  /// Names that are kept; those beyond them are not counted.
  static let maximumCount = SymbolTable.maximumCount

  var sortedNames: [String] { names.sorted() }
  /// Rows of the latest snapshot without a name.
  private(set) var unnamedCount = 0
  var count: Int { names.count + unnamedCount }
  /// Whether the latest list changed ``count``.
  var isNews: Bool { count != before }

  private var names: Set<String> = []
  private var before = 0

  /// Prepares for a list; a snapshot replaces all.
  mutating func begin(isSnapshot: Bool) {
    before = count
    guard isSnapshot else { return }
    names.removeAll()
    unnamedCount = 0
  }

  /// Leaves an instrument out, by its name where it has one.
  mutating func insert(_ name: String?) {
    guard count < Self.maximumCount else { return }
    guard let name else { return unnamedCount += 1 }
    names.insert(name)
  }

  mutating func remove(_ name: String) { names.remove(name) }
}
