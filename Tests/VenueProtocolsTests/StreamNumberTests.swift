import MarketModel
import Testing
import VenueProtocols

/// The numbers by which messages out of order are found, as each venue writes them.
@Suite struct StreamNumberTests {
  private func number(_ venue: Venue, _ text: String) -> StreamNumber? {
    let bytes = Array(text.utf8)
    return venue.adapter.streamNumber(of: bytes.span)
  }

  @Test(
    arguments: [
      (.binance, #"{"stream":"a@depth","data":{"E":3,"U":5,"u":7,"b":[[]]}}"#, "\"a@depth\"", 7),
      (.binance, #"{"data":{"e":"trade","E":3,"t":9},"stream":"a@trade"}"#, "\"a@trade\"", 9),
      (.binance, #"{"stream":"a@ticker","data":{"E":3,"s":"A"}}"#, "\"a@ticker\"", 3),
      (.bybitLinear, #"{"topic":"t","type":"delta","ts":17,"data":{"u":4}}"#, "\"t\"", 17),
      (.bybit, #"{"topic":"t","ts":17,"type":"delta","data":{"u":4}}"#, "\"t\"", 17),
      (.okx, #"{"arg":{"channel":"c"},"data":[{"ts":"17"},{"ts":"15"}]}"#, #"{"channel":"c"}"#, 17),
      (.coinbase, #"{"channel":"l2_data","sequence_num":5,"events":[]}"#, "\"l2_data\"", 5),
      (
        .kraken,
        #"{"channel":"book","data":[{"symbol":"A/B","timestamp":"1970-01-01T00:00:01Z"}]}"#,
        "\"book\"A/B", 1_000_000_000
      ),
      (
        .bitmex, #"{"table":"trade","data":[{"timestamp":"1970-01-01T00:00:01Z","symbol":"A"}]}"#,
        "\"trade\"A", 1_000_000_000
      ),
    ] as [(Venue, String, String, Int64)])
  func `each venue's messages have their numbers`(
    venue: Venue, text: String, stream: String, expected: Int64
  ) {
    #expect(number(venue, text) == StreamNumber(stream, expected))
  }

  @Test(
    arguments: Venue.allCases,
    [
      "", "{", "pong", "[]", "{}", #"{"stream":"a"}"#, #"{"stream":"a","data":7}"#,
      #"{"arg":{},"data":[{"ts":"x"}]}"#, #"{"table":"t","data":[{"timestamp":null}]}"#,
      #"{"topic":"t","ts":[1]}"#, #"{"channel":"c","data":[[]],"sequence_num":"x"}"#,
    ])
  func `a message without a number has none`(venue: Venue, text: String) {
    #expect(number(venue, text) == nil)
  }
}
