// Wall-clock text without a calendar library: leap years, bad dates, fractions, hostile text.

import Foundation
import MarketModel
import Testing

struct TimestampTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (1_626_993_367_865, "2021-07-22T22:36:07.865Z"),
    (951_782_400_000, "2000-02-29T00:00:00.000Z"), (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
    (1_709_251_199_999, "2024-02-29T23:59:59.999Z"), (-1, "1969-12-31T23:59:59.999Z"),
    (946_684_800_000, "2000-01-01T00:00:00.000Z"),
  ])
  func `milliseconds and text mean each other`(milliseconds: Int64, text: String) {
    let time = Timestamp(milliseconds: milliseconds)
    #expect(time.description == text && time.milliseconds == milliseconds)
    if milliseconds >= 0 { #expect(Timestamp(iso8601: text) == time) }
  }

  @Test func `every day from 1970 to 2200 survives text and back`() {
    var days: [String: Int64] = [:]
    for day in stride(from: Int64(0), to: 84_370, by: 1) {
      let time = Timestamp(milliseconds: day * 86_400_000 + 43_200_000)
      #expect(Timestamp(iso8601: time.description) == time)
      days[String(time.description.prefix(10))] = day
    }
    #expect(days.count == 84_370 && days["2100-02-29"] == nil && days["2096-02-29"] != nil)
  }

  @Test func `another calendar agrees`() {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    var generator = SplitMix64(seed: 21)
    for _ in 0..<1_000 {
      let milliseconds = generator.below(7_000_000_000_000)
      let date = Date(timeIntervalSince1970: Double(milliseconds / 1000))
      let mine = Timestamp(milliseconds: milliseconds / 1000 * 1000).description
      #expect(mine == formatter.string(from: date), "seed 21: \(milliseconds)")
    }
  }

  @Test(arguments: [
    ("2021-07-22T22:36:07Z", 0), ("2021-07-22T22:36:07.8Z", 800_000_000),
    ("2021-07-22T22:36:07.000001Z", 1_000), ("2021-07-22T22:36:07.123456789Z", 123_456_789),
  ])
  func `a fraction of one to nine digits is read`(text: String, nanoseconds: Int64) throws {
    let whole = try #require(Timestamp(iso8601: "2021-07-22T22:36:07.000Z"))
    #expect(Timestamp(iso8601: text)?.nanoseconds == whole.nanoseconds + nanoseconds)
  }

  @Test func `a leap second is the start of the next minute`() {
    #expect(
      Timestamp(iso8601: "2016-12-31T23:59:60Z") == Timestamp(iso8601: "2017-01-01T00:00:00Z"))
  }

  @Test(arguments: [
    "2021-07-22T22:36:07.865+00:00", "2021-07-22T22:36:07.865-00:00",
    "2021-07-23T00:36:07.865+02:00", "2021-07-22T17:06:07.865-05:30",
    "2021-07-23T22:35:07.865000000+23:59", "2021-07-22t22:36:07.865z",
    "2021-07-22t22:36:07.865Z", "2021-07-22T22:36:07.865z", "2021-07-23t00:36:07.865+02:00",
  ])
  func `every spelling of RFC 3339 names the same moment`(text: String) {
    #expect(Timestamp(iso8601: text) == Timestamp(milliseconds: 1_626_993_367_865))
  }

  @Test(arguments: [
    "", "Z", "2021-07-22", "2021-07-22T22:36:07", "2021-07-22 22:36:07Z", "2021-07-22T22:36:07.Z",
    "2021-07-22T22:36:07.1234567890Z", "2021-02-29T00:00:00Z", "2100-02-29T00:00:00Z",
    "2021-13-01T00:00:00Z", "2021-00-01T00:00:00Z", "2021-01-00T00:00:00Z", "2021-01-32T00:00:00Z",
    "2021-04-31T00:00:00Z", "2021-01-01T24:00:00Z", "2021-01-01T00:60:00Z", "2021-01-01T00:00:61Z",
    "1969-12-31T23:59:59Z", "2201-01-01T00:00:00Z", "9999-01-01T00:00:00Z",
    "2021-07-22T22:36:07,1Z",
    "-021-07-22T22:36:07Z", "2021-07-22T22:36:0 Z", "2021-07-22T22:36:07+0000",
    "2021-07-22T22:36:07+00", "2021-07-22T22:36:07+24:00", "2021-07-22T22:36:07+00:60",
    "2021-07-22T22:36:07 00:00", "2021-07-22T22:36:07*00:00", "2021-07-22T22:36:07+0a:00",
    "2021-07-22T22:36:07Z+00:00", "2021-07-22T22:36:07+00:00Z", "1970-01-01T00:59:59+01:00",
    "2021-07-22T22:36:07.+00:00", "2021-07-22T22:36:07.1234567890+00:00",
    "2021-07-22T22:36+02:00", "2021-07-22T22:36:07:00",
    "2021-07-22T22:36:07.1zZ",
    "٢٠٢١-٠٧", "2021-07-22T22:36:07.12345678901234567890Z",
  ])
  func `anything else is refused`(text: String) { #expect(Timestamp(iso8601: text) == nil) }

  @Test func `a flipped byte never traps`() {
    let whole = Array("2021-07-22T22:36:07.865Z".utf8)
    for index in whole.indices {
      for value in UInt8.min...UInt8.max {
        var bytes = whole
        bytes[index] = value
        if let time = Timestamp(iso8601: bytes.span) { #expect(time.nanoseconds >= 0) }
      }
    }
  }

  @Test func `the ends of the range can be written`() {
    #expect(Timestamp(nanoseconds: .max).description == "2262-04-11T23:47:16.854Z")
    #expect(Timestamp(nanoseconds: .min).description == "1677-09-21T00:12:43.145Z")
    #expect(Timestamp(nanoseconds: -1).milliseconds == -1)
    #expect(Timestamp(nanoseconds: -1) < Timestamp(nanoseconds: 0))
  }

  @Test func `monotonic time counts whole milliseconds in both directions`() {
    let start = MonotonicTime(milliseconds: 100)
    #expect(start.adding(milliseconds: 50).milliseconds(since: start) == 50)
    #expect(start.milliseconds(since: start.adding(milliseconds: 50)) == -50)
    #expect(start < start.adding(milliseconds: 1))
    let reading = ClockReading(milliseconds: 7)
    #expect(reading.wall.milliseconds == 7 && reading.monotonic.nanoseconds == 7_000_000)
  }
}
