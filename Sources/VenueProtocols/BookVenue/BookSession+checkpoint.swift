// What a session knows, spelled as its venue would: whoever follows the same stream without asking
// the venue for anything starts from it.

public import MarketModel
import OrderBook

/// What a checkpoint is to hold.
public struct CheckpointRequest: Sendable, Equatable {
  /// The streams of which snapshots are wanted.
  public let streams: Set<Subscription>
  /// Whether it starts a session: with the venue's greeting and its instruments.
  public let isWhole: Bool

  /// Puts both together.
  public init(streams: Set<Subscription>, isWhole: Bool) {
    self.streams = streams
    self.isWhole = isWhole
  }
}

extension BookSession {
  /// The messages that bring another session, open and with the same wanted streams, to where this
  /// one is: a greeting, then a snapshot of each topic that is whole here.
  ///
  /// Topics that wait for a snapshot are left out: theirs will come to both. Those that wait for a
  /// place are refused, so that they wait there as well.
  func checkpoint(_ request: CheckpointRequest) -> [OutboundMessage] {
    guard link == .ready else { return [] }
    var messages = request.isWhole ? Venue.greeting(of: self) : []
    let topics = Set(request.streams.flatMap { Venue.topics(for: $0) }).sorted()
    for topic in topics {
      if areTopicsWaiting, topic.symbol != nil, isMissing(topic) {
        messages.append(Venue.refusal(of: topic))
      }
      guard asked.contains(topic), let symbol = topic.symbol, let number = market.known(symbol),
        holds(topic.part, number)
      else { continue }
      messages += Venue.snapshot(of: topic.part, number, in: market)
    }
    return messages.map { OutboundMessage(.text, $0) }
  }

  /// Whether a topic has brought its snapshot and nothing is missing since.
  private func holds(_ part: BookTopic.Part, _ number: Int) -> Bool {
    let instrument = market.instruments[number]
    switch part {
    case .book: return market.books.states[number].trust.status == .synced
    case .audit: return market.audits.states[number].trust.status == .synced
    case .trades:
      let tape = instrument.tape
      return !tape.awaitsSnapshot && (!tape.trades.isEmpty || tape.isKnownEmpty)
    case .quote: return !instrument.quote.awaitsSnapshot
    case .figures: return !instrument.figures.awaitsSnapshot && instrument.figures.row != nil
    case .details: return true
    }
  }
}

extension Timestamp {
  /// "2021-04-20T10:00:00.000000000Z": as a venue would write it, and nothing of it is lost.
  var nanosecondText: String {
    let rest = String(max(0, nanoseconds % 1_000_000))
    let padding = String(repeating: "0", count: 6 - rest.utf8.count)
    return description.dropLast() + padding + rest + "Z"
  }
}
