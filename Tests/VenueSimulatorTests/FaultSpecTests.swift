// Faults as text: parsing, formatting, rejection and error texts.

import MarketModel
import Testing

@testable import VenueSimulator

@Suite struct FaultSpecTests {
  @Test(
    arguments: [
      "drop", "drop@120", "drop=2%", "gap=5", "gap=3@120", "duplicate=1%", "reorder",
      "truncate=0.0001%", "corrupt=0.1% for 5s", "checksum", "checksum=100% for 1500ms",
      "delay=300ms", "delay=2s for 10s", "stall", "stall@40 for 5s", "half-open for 3s",
      "refuse=503*3", "refuse=429 for 10s", "close=1012", "close=1001@9", "cut", "cut@30",
      "clock=+90s", "clock=-1s for 30s", "flood=50000/s for 2s", "drop=2% for 5s, delay=300ms, cut",
    ])
  func `a text is written as it was read`(text: String) throws {
    #expect(try FaultSpec(text).description == text)
  }

  @Test func `what may be left out and other spellings have one meaning`() throws {
    let same = [
      ("gap", "gap=5"), ("gap@120", "gap=5@120"), ("refuse*3", "refuse=503*3"),
      ("close", "close=1001"),
      ("  drop=2.00%   for  5000ms ,cut ", "drop=2% for 5s, cut"),
      ("stall for 1min", "stall for 60s"), ("", ""), ("   ", ""),
    ]
    for (text, canonical) in same {
      #expect(try FaultSpec(text).description == canonical, "\(text)")
    }
  }

  @Test(
    arguments: [
      ("dorp", "expected one of drop, gap,"), ("drop=2", "a chance from 0.0001% to 100%"),
      ("drop=0%", "a chance"), ("drop=101%", "a chance"), ("drop=1e1%", "a chance"),
      ("drop=0.00001%", "a chance"), ("drop=2%@3", "takes no “=” here"),
      ("drop for 5s", "has no “for”"), ("drop=2% for", "such as “drop=2% for 5s”"),
      ("drop=2% for 99ms", "from 100ms to 3600s"), ("drop=2% for 2h", "expected a time"),
      ("drop@0", "from 1 to 1000000000"), ("drop*2", "takes no “*”"), ("gap=0", "from 1 to 10000"),
      ("gap=-1", "expected a number"), ("delay", "delay=300ms"), ("delay=61s", "from 1ms to 60s"),
      ("delay=1s@4", "takes no “@”"), ("stall=5", "takes no “=”"), ("refuse=200", "400 to 599"),
      ("close=1006", "a close frame may have"), ("cut=1", "takes no “=”"), ("clock=90s", "+90s"),
      ("clock=+90ms", "expected a time"), ("clock=+1500ms", "whole seconds"),
      ("flood=5/s", "needs an end"), ("flood=200000/s for 2s", "1 to 100000"),
      ("flood=5/s for 61s", "to 60s"), ("flood=5 for 2s", "expected a rate"),
      ("drop,,cut", "found “”"),
      ("drop=99999999999999999999%", "a chance"),
      (String(repeating: "cut,", count: 16) + "cut", "at most 16 faults, found 17"),
      (String(repeating: " ", count: 513), "at most 512 bytes"),
    ])
  func `an invalid text is rejected with a helpful message`(text: String, words: String) {
    let error = #expect(throws: FaultSpecError.self) { try FaultSpec(text) }
    #expect(error?.description.contains(words) == true, "\(text): \(error?.description ?? "")")
  }

  @Test(
    arguments: [
      "checksu\u{b}\0", "drop\nFAKE line", "drop\n\u{1b}[2J for 5s", "cut\r for\u{7} 5s",
      "gap=\u{1}5", "drop\u{2028}", "c\u{202e}tuc",
    ])
  func `what is refused is shown without what is not printed`(text: String) {
    let error = #expect(throws: FaultSpecError.self) { try FaultSpec(text) }
    let line = error?.description ?? "\0"
    #expect(line.unicodeScalars.allSatisfy { FaultSpecTests.isShown($0) }, "\(line)")
  }

  @Test func `any list is read as it was written`() throws {
    for seed in UInt64(0)..<400 {
      var random = SplitMix64(seed: seed)
      let orders = (0..<random.within(1...16)).map { _ in FaultSpecTests.order(&random) }
      let text = FaultSpec(orders).description
      guard text.utf8.count <= FaultSpec.maximumBytes else { continue }
      #expect(try FaultSpec(text) == FaultSpec(orders), "seed \(seed): \(text)")
    }
  }

  @Test func `no text makes the reader fail in any other way`() {
    let letters = Array("drop=2%@*for s,ms+-/0 gapclkutes")
    for seed in UInt64(0)..<4000 {
      var random = SplitMix64(seed: seed)
      let text = String(
        (0..<random.within(0...40)).map { _ in letters[Int(random.below(Int64(letters.count)))] })
      guard let spec = try? FaultSpec(text) else { continue }
      #expect((try? FaultSpec(spec.description)) == spec, "seed \(seed): \(text)")
    }
  }

  @Test func `a venue is asked only for what it can do`() throws {
    func problem(_ text: String, _ venue: Venue) throws -> String? {
      try FaultSpec(text).problem(at: venue)?.description
    }
    #expect(try problem("checksum", .kraken) == nil)
    #expect(try problem("checksum", .bitmex) == "checksum: bitmex sends none, only kraken does")
    #expect(try problem("clock=+1s", .echo) != nil && problem("clock=+1s", .exchange) == nil)
    #expect(try problem("cut, close", .exchange) != nil && problem("cut, drop", .exchange) == nil)
  }

  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }

  private static func order(_ random: inout SplitMix64) -> FaultOrder {
    let faults: [FaultPlan.Fault] = [
      .drop, .duplicate, .reorder, .truncate, .corrupt, .checksum,
    ]
    let fault = faults[Int(random.below(Int64(faults.count)))]
    let time = random.within(100...60_000)
    let number = Int(random.within(1...1000))
    let maybe = random.chance(1, of: 2) ? number : nil
    return switch random.below(11) {
    case 0: FaultOrder(.message(fault, .next))
    case 1: FaultOrder(.message(fault, .number(number)))
    case 2:
      FaultOrder(
        .message(fault, .chance(perMillion: random.within(1...1_000_000))), milliseconds: time)
    case 3: FaultOrder(.gap(messages: number, from: maybe))
    case 4: FaultOrder(.delay(milliseconds: time), milliseconds: maybe.map { _ in time })
    case 5: FaultOrder(.stall(after: maybe ?? 0), milliseconds: time)
    case 6: FaultOrder(.halfOpen(after: maybe ?? 0))
    case 7: FaultOrder(.refuse(status: Int(random.within(400...599)), count: maybe))
    case 8: FaultOrder(.close(code: 3000 + UInt16(number), after: maybe))
    case 9: FaultOrder(.clock(milliseconds: 1000 * random.within(-86_400 ... -1)))
    default: FaultOrder(.flood(perSecond: number), milliseconds: time)
    }
  }
}
