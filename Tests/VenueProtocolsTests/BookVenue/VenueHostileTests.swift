// Truncated, altered or absurd messages at every book venue: rejected whole, without a trap or a
// wrong valid book.

import Foundation
import MarketModel
import TestSupport
import Testing

@testable import VenueProtocols

@Suite struct VenueHostileTests {
  private static let image = HostileCase.image

  @Test(arguments: HostileCase.all)
  func `a message cut at any byte is rejected whole`(venue: HostileCase) {
    for (index, message) in venue.messages.enumerated() {
      cut(message, index, venue.live())
    }
  }

  private func cut(_ message: String, _ index: Int, _ start: some BookHarness) {
    let bytes = Array(message.utf8)
    for end in bytes.indices {
      var harness = start
      harness.receive(bytes: Array(bytes[..<end]))
      #expect(harness.problems.first == .malformed, "message \(index), cut at \(end)")
      #expect(harness.book().map(BookTable.text) == Self.image, "message \(index), cut at \(end)")
    }
  }

  /// Without a checksum a changed digit is valid, but no row is impossible.
  @Test(arguments: HostileCase.all)
  func `flipped bytes never trap and never give a crossed or negative row`(venue: HostileCase) {
    for (index, message) in venue.messages.enumerated() {
      flip(message, index, venue.live(), hasChecksum: venue.hasChecksum)
    }
  }

  private func flip(_ message: String, _ index: Int, _ start: some BookHarness, hasChecksum: Bool) {
    let bytes = Array(message.utf8)
    var honest = start
    honest.receive(bytes: bytes)
    let part = repetitions(3, all: 1)
    let right = [Self.image, honest.book().map(BookTable.text)]
    for place in bytes.indices {
      // In `make test` each byte becomes some of these, and each of these comes at some bytes.
      let others = [UInt8(0), 0x22, 0x2d, 0x30, 0x39, 0x65, 0x7d, 0x80, 0xff, bytes[place] ^ 1]
      let chosen = stride(from: place % part, to: others.count, by: part)
      for other in chosen.lazy.map({ others[$0] }) where other != bytes[place] {
        var harness = start
        var changed = bytes
        changed[place] = other
        harness.receive(bytes: changed)
        guard let view = harness.book(), view.status == .synced else { continue }
        let text = "message \(index), byte \(place) is \(other)"
        if hasChecksum { #expect(right.contains(BookTable.text(view)), "\(text)") }
        #expect((view.bids + view.asks).allSatisfy { $0.price.units > 0 && $0.size.units > 0 })
        let (bid, ask) = (view.bids.first?.price.units ?? 0, view.asks.first?.price.units ?? .max)
        #expect(bid < ask, "\(text)")
      }
    }
  }

  @Test(arguments: HostileCase.all)
  func `an invalid level rejects its message`(venue: HostileCase) {
    for level in venue.levels {
      reject(venue.update(level.text), level.what, venue, venue.live(), keepsBook: true)
    }
  }

  @Test(arguments: HostileCase.all)
  func `a message that is no book's makes every book doubtful`(venue: HostileCase) {
    for text in venue.others { reject(text, text, venue, venue.live(), keepsBook: false) }
  }

  /// These venues name the market of a message in its topic and in its rows.
  @Test(arguments: [HostileCase.binance, .okx, .bybit, .bybitLinear])
  func `a message that names two markets is rejected`(venue: HostileCase) throws {
    let name = venue.venue == .okx ? "BTC-USDT" : "BTCUSDT"
    let other = name.replacing("BTC", with: "ETH")
    let topics = try [name, other].flatMap { text -> [Subscription] in
      let symbol = try #require(Symbol(text))
      return [.init(.book, symbol), .init(.trades, symbol), .init(.figures, symbol)]
    }
    var tried = 0
    for message in venue.messages where !message.contains("event") {
      let pattern = try Regex(name).ignoresCase()
      let places = message.ranges(of: pattern)
      for place in places where places.count > 1 {
        var harness = venue.live()
        harness.input(.wanted(Set(topics)))
        let isLower = message[place] != name
        let text = message.replacingCharacters(
          in: place, with: isLower ? other.lowercased() : other)
        harness.receive(text)
        #expect(harness.problems.first == .malformed, "\(text)")
        #expect(harness.book().map(BookTable.text) == Self.image, "\(text)")
        tried += 1
      }
    }
    #expect(tried >= 4)
  }

  /// The session rejects a message and refetches the book; a row of it was never shown.
  private func reject(
    _ text: String, _ what: String, _ venue: HostileCase, _ start: some BookHarness,
    keepsBook: Bool
  ) {
    var harness = start
    harness.receive(text)
    #expect(harness.problems.first == .malformed, "\(what)")
    #expect(harness.book()?.status == .resyncing, "\(what)")
    if venue.venue == .coinbase {
      // Its count covers the whole connection.
      let reconnects = harness.effects.contains { if case .reconnect = $0 { true } else { false } }
      #expect(reconnects && harness.tape()?.freshness.state == .resyncing, "\(what)")
    }
    guard keepsBook else { return }
    let book = harness.effects.contains { if case .resynced = $0 { true } else { false } }
    #expect(book, "what it would have changed is unknown: \(what)")
    #expect(harness.book().map(BookTable.text) == Self.image, "\(what)")
    #expect(harness.book()?.priceScale == start.book()?.priceScale, "\(what)")
  }
}
