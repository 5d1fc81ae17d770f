// Valid and invalid lines of the tick feed.

import MarketModel
import Testing
import VenueProtocols

struct TickFeedTickTests: QuoteVenueTests {
  func decode(_ text: String) throws(TickFeedError) -> MarketTick {
    try MarketTick(decoding: Array(text.utf8).span)
  }

  @Test func `EX1 six fields make a tick`() throws {
    let tick = try decode("1473345123,45.05,45.01,17,45.10,36")
    #expect(tick.time == 1_473_345_123)
    #expect(tick.last.description == "45.05" && tick.bid.description == "45.01")
    #expect(tick.ask.description == "45.10")
    #expect(tick.bidQuantity.units == 17 && tick.askQuantity.units == 36)
  }

  @Test(arguments: [
    "1473345123 , 45.05 ,45.01 , 17,  45.10 , 36  ", "\t1473345123,45.05,45.01,17,45.10,36\r",
    "1473345123,45.050,4501e-2,017,4.51E1,36",
  ])
  func `EX1 padding and other spellings mean the same`(line: String) throws {
    #expect(try decode(line) == decode("1473345123,45.05,45.01,17,45.10,36"))
  }

  @Test(arguments: [
    "", ",,,,,", "1,2", "1,45.05,45.01,17,45.10", "1,45.05,45.01,17,45.10,36,", "1,45.05,45.01,17",
    "-1,45.05,45.01,17,45.10,36", "1.5,45.05,45.01,17,45.10,36", "x,45.05,45.01,17,45.10,36",
    "1,-45.05,45.01,17,45.10,36", "1,0,45.01,17,45.10,36", "1,45.05,0.00,17,45.10,36",
    "1,45.05,45.01,17,-45.10,36", "1,45.05,45.01,-17,45.10,36", "1,45.05,45.01,1.5,45.10,36",
    "1,45.05,45.01,4294967296,45.10,36", "1,45.05,45.01,17,45.10,99999999999999999999",
    "18446744073709551616,45.05,45.01,17,45.10,36", "1,1e400,45.01,17,45.10,36",
    "1,45,05,45.01,17,45.10,36", "1,NaN,45.01,17,45.10,36", "1,45.05,45.01,17,45.10,",
    "1,4 5.05,45.01,17,45.10,36", "1,45.05,+45.01,17,45.10,36", "1,45.,45.01,17,45.10,36",
  ])
  func `EX1 anything else is refused`(line: String) {
    #expect(throws: TickFeedError.self) { try decode(line) }
  }

  @Test func `the largest numbers fit, one more does not`() throws {
    let tick = try decode("18446744073709551615,1,0.000000000000000001,4294967295,2,0")
    #expect(tick.time == .max && tick.bidQuantity.units == 4_294_967_295)
    #expect(tick.askQuantity == .zero)
  }

  @Test(arguments: ["45.10", "45.11"])
  func `a bid at or above the ask is refused`(bid: String) {
    #expect(throws: TickFeedError.self) { try decode("1,45.05,\(bid),17,45.10,36") }
  }

  @Test func `a flipped byte never traps and never breaks a rule`() {
    let whole = Array("1473345123,45.05,45.01,17,45.10,36".utf8)
    for (bytes, flip) in flips(of: whole) {
      guard let tick = try? MarketTick(decoding: bytes.span) else { continue }
      #expect(tick.bid < tick.ask && tick.last.units > 0 && tick.bid.units > 0, "\(flip)")
    }
  }

  @Test func `what a bad field held is shown, bounded and printable`() {
    let bad = "\u{1b}[2J" + String(repeating: "9", count: 100)
    do throws(TickFeedError) {
      _ = try decode("1,\(bad),45.01,17,45.10,36")
      Issue.record("accepted")
    } catch {
      #expect(error.problem.description.utf8.count < 100)
      #expect(error.problem.description.utf8.allSatisfy { (0x20..<0x7f).contains($0) })
    }
  }
}
