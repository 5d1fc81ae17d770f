// LT10: a recording leaves the same state hash in the phone's store as everywhere else:
// StateHashTests natively, test_replay.py in a browser.

import AppState
import Foundation
import MarketModel
import OrderBook
import PhoneStoresFixtures
import Testing
import VenueProtocols

@testable import PhoneStores

@MainActor @Suite struct RecordedBookTests {
  private struct RecordedState: Decodable {
    let venue: String
    let recording: String
    let symbol: String
    let messages: Int
    let best20: String
  }

  private struct UnplayedVenue: Error {}

  private static let payloads = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../../Tests/VenueProtocolsTests/Payloads")

  @Test func `LT10 the rows of a recording have the state hash of every other place`() throws {
    let hashes = try Data(contentsOf: Self.payloads.appending(path: "state-hashes.json"))
    let states = try JSONDecoder().decode([RecordedState].self, from: hashes)
    #expect(states.count == 2)
    for state in states {
      let rows = try shown(state)
      #expect(String(rows.stateHash, radix: 16) == state.best20, "\(state.recording)")
    }
  }

  /// The book screen's rows at the end of a recording.
  private func shown(_ state: RecordedState) throws -> OrderBook {
    let name = try symbol(state.symbol)
    let venue = try #require(Venue(rawValue: state.venue))
    let feeds = TestFeeds()
    let store = ScreenStore(BookScreen(symbol: name), feeds: feeds.client)
    store.open()
    guard case .allInstruments(let makeReplay) = venue.adapter.replay else {
      throw UnplayedVenue()
    }
    var replay = makeReplay()
    let url = Self.payloads.appending(path: state.recording)
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    for line in lines {
      let message = ContiguousArray(try #require(line.split(separator: "\t").last).utf8)
      #expect(replay.process(message.span, at: feeds.client.now()) == nil)
      if let view = replay.bookView(for: name, at: feeds.client.now()) {
        feeds.send(MarketKey(venue, .book, name), .book(view))
      }
    }
    #expect(replay.messages == state.messages)
    let view = try #require(replay.bookView(for: name, at: feeds.client.now()))
    var rows = OrderBook()
    for (side, shown) in [(BookSide.bid, store.state.bids), (.ask, store.state.asks)] {
      for row in shown {
        rows.set(
          side, price: Price(units: try #require(row.price.exactly(at: view.priceScale)).units),
          size: Quantity(units: try #require(row.size.exactly(at: view.quantityScale)).units))
      }
    }
    return rows
  }
}
