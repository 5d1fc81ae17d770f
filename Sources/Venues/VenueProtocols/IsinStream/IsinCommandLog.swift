public import MarketModel
import WireJSON

/// The commands sent on this connection, and the ones to send next.
///
/// The server executes each command 10 to 60 ms after it came, in any order, and acknowledges none.
/// So commands for one ISIN are spaced, and those that seem lost are sent again.
struct IsinCommandLog: Sendable, Equatable {
  /// The shortest time between two commands for one ISIN: three times the server's longest delay.
  static let spacingMilliseconds: Int64 = 200
  /// A subscription without its immediate first quote is sent again after this time, then after
  /// twice this, and so on up to ``longestRetryMilliseconds``.
  static let firstRetryMilliseconds: Int64 = 5_000
  static let longestRetryMilliseconds: Int64 = 60_000
  /// A quote this long after its unsubscription shows that the unsubscription was lost.
  static let straggleMilliseconds: Int64 = 1_000
  static let memoryMilliseconds: Int64 = 60_000

  private struct Command: Equatable {
    var isSubscription: Bool
    var sentAt: MonotonicTime
    var repeats = 0
    /// Whether a quote has come since, which proves that the server executed the command.
    var isAnswered = false
  }

  private var latest: [Symbol: Command] = [:]

  /// Handles a new connection, on which nothing is subscribed.
  mutating func removeAll() { latest.removeAll(keepingCapacity: true) }

  /// The commands that make the server's set equal to `wanted`, in order of ISIN; O(n log n).
  mutating func requests(
    wanted: Set<Symbol>, board: QuoteBoard, at now: ClockReading
  ) -> [IsinStreamRequest] {
    var requests: [IsinStreamRequest] = []
    for symbol in wanted.union(latest.keys).sorted() {
      let isWanted = wanted.contains(symbol)
      guard let command = latest[symbol] else {
        requests.append(send(true, symbol, repeats: 0, at: now))
        continue
      }
      let age = now.monotonic.milliseconds(since: command.sentAt)
      if command.isSubscription != isWanted {
        guard age >= Self.spacingMilliseconds else { continue }
        requests.append(send(isWanted, symbol, repeats: 0, at: now))
      } else if isWanted {
        guard isLost(symbol, command, age: age, board: board, at: now) else { continue }
        requests.append(send(true, symbol, repeats: command.repeats + 1, at: now))
      } else if age >= Self.memoryMilliseconds {
        latest[symbol] = nil
      }
    }
    return requests
  }

  mutating func noteQuote(of symbol: Symbol) { latest[symbol]?.isAnswered = true }

  /// The unsubscription to repeat after a quote that is not requested; nil if none is due.
  mutating func straggler(_ symbol: Symbol, at now: ClockReading) -> IsinStreamRequest? {
    guard let command = latest[symbol], !command.isSubscription,
      now.monotonic.milliseconds(since: command.sentAt) >= Self.straggleMilliseconds
    else { return nil }
    return send(false, symbol, repeats: 0, at: now)
  }

  private func isLost(
    _ symbol: Symbol, _ command: Command, age: Int64, board: QuoteBoard, at now: ClockReading
  ) -> Bool {
    if command.isAnswered { return board.hasFallenSilent(symbol, at: now) }
    let delay = Self.firstRetryMilliseconds << Int64(min(command.repeats, 4))
    return age >= min(delay, Self.longestRetryMilliseconds)
  }

  private mutating func send(
    _ isSubscription: Bool, _ symbol: Symbol, repeats: Int, at now: ClockReading
  ) -> IsinStreamRequest {
    latest[symbol] = Command(
      isSubscription: isSubscription, sentAt: now.monotonic, repeats: repeats)
    return isSubscription ? .subscribe(symbol) : .unsubscribe(symbol)
  }
}

/// A command for the ISIN stream, which responds to none.
public enum IsinStreamRequest: Hashable, Sendable {
  /// Subscribes; the first quote comes at once. Repeating it for a live ISIN resets the price.
  case subscribe(Symbol)
  /// Unsubscribes.
  case unsubscribe(Symbol)

  /// The command as it is sent: `{"subscribe":"US0378331005"}`.
  public var message: OutboundMessage {
    var writer = JSONWriter(capacity: 48)
    writer.beginObject()
    switch self {
    case .subscribe(let symbol):
      writer.member("subscribe", symbol.text)
    case .unsubscribe(let symbol):
      writer.member("unsubscribe", symbol.text)
    }
    writer.endObject()
    return OutboundMessage(.text, writer.bytes)
  }
}
