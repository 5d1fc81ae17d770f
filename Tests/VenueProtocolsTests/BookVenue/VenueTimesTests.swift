// The times in Kraken's and BitMEX's messages.

import MarketModel
import Testing

@testable import VenueProtocols

@Suite struct VenueTimesTests {
  private let kraken = KrakenSession(origin: .simulated)
  private let bitmex = BitMEXSession(origin: .simulated)

  private func times(_ text: String, _ session: some VenueSession) -> VenueTimes? {
    let bytes = ContiguousArray(text.utf8)
    return session.times(in: bytes.span)
  }

  private func event(_ text: String) throws -> VenueTimes {
    .event(try #require(Timestamp(iso8601: text)))
  }

  @Test func `of several rows the latest time counts`() throws {
    let trades = """
      {"channel":"trade","type":"update","data":[\
      {"symbol":"A/B","timestamp":"2023-09-25T07:49:37.708706Z"},\
      {"timestamp":"2023-09-25T07:49:36.000001Z","qty":1}]}
      """
    #expect(times(trades, kraken) == (try event("2023-09-25T07:49:37.708706Z")))
    let rows = """
      {"table":"orderBookL2","action":"update","data":[\
      {"id":1,"timestamp":"2023-09-25T07:49:36.708Z"},\
      {"id":2,"timestamp":"2023-09-25T07:49:37.708Z"}]}
      """
    #expect(times(rows, bitmex) == (try event("2023-09-25T07:49:37.708Z")))
  }

  @Test(arguments: [
    #"{"channel":"book","type":"snapshot","data":[{"timestamp":"2023-09-25T07:49:37.708706Z"}]}"#,
    #"{"channel":"ticker","type":"update","data":[{"timestamp":"2023-09-25T07:49:37.708706Z"}]}"#,
    #"{"channel":"book","type":"update","data":[{"timestamp":"yesterday"}]}"#,
    #"{"channel":"book","type":"update","data":[{"timestamp":5}]}"#,
    #"{"channel":"book","type":"update","data":[]}"#, #"{"channel":"heartbeat"}"#, "{", "", "pong",
    #"{"method":"pong","time_in":"2023-09-25T07:49:37Z","time_out":"2023-09-25T07:49:37Z"}"#,
    #"{"table":"trade","action":"partial","data":[{"timestamp":"2023-09-25T07:49:37.708Z"}]}"#,
    #"{"table":"instrument","action":"update","data":[{"timestamp":"2023-09-25T07:49:37.708Z"}]}"#,
    #"{"table":"orderBookL2","action":"delete","data":[{"id":1}]}"#,
  ])
  func `messages about the past, or without data, have no time`(text: String) {
    #expect(times(text, kraken) == nil)
    #expect(times(text, bitmex) == nil)
  }

  @Test func `a message longer than 64 KiB is not read`() {
    let filling = String(repeating: " ", count: 64 << 10)
    let time = #"{"timestamp":"2023-09-25T07:49:37.708706Z"}"#
    #expect(
      times(#"{"channel":"book","type":"update","data":[\#(time)]}\#(filling)"#, kraken) == nil)
  }

  @Test func `Kraken answers a ping by its number with two times`() throws {
    let ping = try #require(kraken.clockPing(7))
    #expect(ping == OutboundMessage(text: #"{"method":"ping","req_id":7}"#))
    let pong = """
      {"method":"pong","req_id":7,"time_in":"2023-09-24T14:10:23.799685Z",\
      "time_out":"2023-09-24T14:10:23.799703Z"}
      """
    #expect(
      times(pong, kraken)
        == .pong(
          number: 7, got: try #require(Timestamp(iso8601: "2023-09-24T14:10:23.799685Z")),
          answered: try #require(Timestamp(iso8601: "2023-09-24T14:10:23.799703Z"))))
    #expect(bitmex.clockPing(7) == nil)
  }
}
