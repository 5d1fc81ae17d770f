// LT10: a fixed recording gives one state hash wherever it is replayed. test_replay.py (WebAssembly
// in a browser) and RecordedBookTests (the phone's store) read the same file of hashes.

import Foundation
import MarketModel
import OrderBook
import Testing
import VenueProtocols

/// A recording's expected state; hashes as sixteen hexadecimal digits.
private struct RecordedState: Decodable {
  let venue: String
  let recording: String
  let symbol: String
  let messages: Int
  /// Of all levels.
  let all: String
  /// Of the twenty best rows of each side.
  let best20: String
}

@Suite struct StateHashTests {
  @Test func `LT10 a recording gives the state hash that every other place finds`() throws {
    let states = try JSONDecoder().decode([RecordedState].self, from: payload("state-hashes.json"))
    #expect(states.map(\.venue) == ["kraken", "bitmex"])
    for state in states {
      let text = String(decoding: try payload(state.recording), as: UTF8.self)
      let messages = text.split(separator: "\n").compactMap { $0.split(separator: "\t").last }
      #expect(messages.count == state.messages)
      let name = try #require(Symbol(state.symbol))
      let book =
        state.venue == "kraken"
        ? replayed(KrakenReplay(), messages) { $0.book(for: name) }
        : replayed(BitMEXReplay(), messages) { $0.book(for: name) }
      let whole = try #require(book)
      #expect(hexadecimal(whole.stateHash) == state.all, "\(state.recording)")
      var best = OrderBook()
      for side in BookSide.allCases {
        for row in whole.rows(side, limit: BookView.depth) {
          best.set(side, price: row.price, size: row.size)
        }
      }
      #expect(hexadecimal(best.stateHash) == state.best20, "\(state.recording)")
    }
  }

  private func replayed<Replay: MarketReplay>(
    _ replay: Replay, _ messages: [Substring], _ book: (Replay) -> OrderBook?
  ) -> OrderBook? {
    var replay = replay
    for (index, message) in messages.enumerated() {
      let bytes = ContiguousArray(message.utf8)
      let now = ClockReading(milliseconds: Int64(index))
      #expect(replay.process(bytes.span, at: now) == nil)
    }
    return book(replay)
  }

  private func payload(_ name: String) throws -> Data {
    let url = Bundle.module.url(forResource: name, withExtension: nil, subdirectory: "Payloads")
    return try Data(contentsOf: try #require(url, "payload \(name)"))
  }

  private func hexadecimal(_ hash: UInt64) -> String {
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
