import AppState
import Foundation
import MarketModel
import MarketStreams
import VenueProtocols

@testable import LivetapeServer
import WireJSON

/// A session behind the topic server of one page, as in the server, with their clock and the
/// invariants of every output.
struct Rig {
  var session: any VenueSession
  var server: TopicServer
  let page = PageID(number: 1)
  var now: Int64 = 1_000_000
  var wanted: Set<Subscription> = []
  var candles: [MarketKey: CandleStream] = [:]

  var venue: Venue { session.venue }

  var clock: ClockReading {
    ClockReading(
      monotonic: MonotonicTime(milliseconds: now),
      wall: Timestamp(milliseconds: 1_790_000_000_000 + now))
  }

  init(_ session: any VenueSession, topics: [String]) {
    self.session = session
    server = TopicServer(catalogue: .screens(origin: .venue))
    var effects = server.connect(page, at: clock)
    for topic in topics {
      guard server.open(topic, for: page, at: clock, into: &effects) else {
        fail("no topic \(topic)")
      }
    }
    run(effects)
    var status = ConnectionStatus(venue: venue, origin: .venue, since: clock)
    status.phase = .live
    run(server.receive(status, at: clock))
    let clock = clock
    for key in candles.keys { _ = candles[key]?.receive(status, at: clock) }
    run(session: self.session.handle(.wanted(wanted), at: clock))
    run(session: self.session.handle(.opened, at: clock))
    frame()
  }

  mutating func run(_ effects: [TopicEffect]) {
    for effect in effects {
      switch effect {
      case .observe(.values(let key)) where key.venue == venue:
        wanted.insert(key.subscription)
      case .observe(.candles(let instrument)) where instrument.venue == venue:
        guard let stream = CandleStream(instrument), candles[stream.key] == nil else { break }
        candles[stream.key] = stream
        wanted.insert(stream.key.subscription)
      case .send(_, let bytes): checkSent(bytes)
      default: break
      }
    }
  }

  mutating func run(session effects: [SessionEffect]) {
    for effect in effects {
      switch effect {
      case .changed(let stream): tell(stream)
      case .happened(let stream, let event):
        let (key, clock) = (MarketKey(venue, stream), clock)
        candles[key]?.receive(event, at: clock)
        if let candles = candles[key] {
          run(server.receive(candles.state, of: candles.instrument, at: clock))
        }
      case .rejected(let problem), .reconnect(let problem), .refuse(let problem):
        check(problem)
      default: break
      }
    }
  }

  mutating func frame() {
    let (session, venue, clock) = (session, venue, clock)
    run(
      server.frame(at: clock) { key in
        key.venue == venue ? session.value(for: key.subscription, at: clock) : nil
      })
  }

  mutating func message(_ bytes: Span<UInt8>) {
    let kind: MessageKind = venue == .exchange ? .stream : .text
    run(session: session.receive(bytes, kind: kind, at: clock))
  }

  mutating func reconnect() {
    run(session: session.handle(.closed, at: clock))
    run(session: session.handle(.opened, at: clock))
  }

  mutating func pass(_ milliseconds: Int64) {
    now += milliseconds
    run(session: session.handle(.timer, at: clock))
    run(server.timer(at: clock))
    frame()
    for stream in wanted { tell(stream) }
  }

  private mutating func tell(_ stream: Subscription) {
    let (key, clock) = (MarketKey(venue, stream), clock)
    guard let value = session.value(for: stream, at: clock) else { return }
    check(value)
    _ = candles[key]?.receive(value, at: clock)
    run(server.changed(key, at: clock))
  }

  /// A page receives well-formed JSON in UTF-8.
  private func checkSent(_ bytes: [UInt8]) {
    guard Rig.isJSON(ContiguousArray(bytes).span) else {
      fail("no JSON: \(String(decoding: bytes, as: UTF8.self))")
    }
    guard String(validating: bytes, as: UTF8.self) != nil else { fail("no UTF-8") }
  }

  private static func isJSON(_ bytes: Span<UInt8>) -> Bool {
    var cursor = JSONCursor()
    do throws(JSONError) {
      try cursor.skipValue(bytes)
      try cursor.finish(bytes)
      return true
    } catch {
      return false
    }
  }
}
