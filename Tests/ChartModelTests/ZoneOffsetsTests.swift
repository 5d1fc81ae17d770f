// Times on a clock that is set forward and back, against Foundation's calendar, minute by minute.

import Foundation
import MarketModel
import Testing

@testable import ChartModel

@Suite struct ZoneOffsetsTests {
  private static let minute: Int64 = 60_000
  private static let day: Int64 = 86_400_000

  private func offsets(_ zone: TimeZone, from left: Int64, to right: Int64) -> ZoneOffsets {
    let date = { (time: Int64) in Date(timeIntervalSince1970: Double(time) / 1000) }
    let offset = { (date: Date) in Int64(zone.secondsFromGMT(for: date)) * 1000 }
    var offsets = ZoneOffsets(offset(date(left)))
    var at = date(left)
    while let next = zone.nextDaylightSavingTimeTransition(after: at), next < date(right) {
      let taken = offsets.append(
        from: Int64(next.timeIntervalSince1970 * 1000), offset: offset(next.addingTimeInterval(1)))
      #expect(taken)
      at = next.addingTimeInterval(1)
    }
    return offsets
  }

  /// Lines where the clock shows a multiple of the step, or a new date, minute by minute.
  private func naive(_ zone: TimeZone, from left: Int64, to right: Int64, step: Int64) -> [Int64] {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    var lines: [Int64] = []
    var shown: Set<DateComponents> = []
    let wanted: Set<Calendar.Component> = [.year, .month, .day, .hour, .minute]
    for time in stride(from: left, through: right, by: Int(ZoneOffsetsTests.minute)) {
      let now = Date(timeIntervalSince1970: Double(time) / 1000)
      var parts = calendar.dateComponents(wanted, from: now)
      let ofDay = Int64((parts.hour ?? 0) * 60 + (parts.minute ?? 0)) * ZoneOffsetsTests.minute
      if step >= ZoneOffsetsTests.day {
        (parts.hour, parts.minute) = (0, 0)
        let isNew = time > left && shown.insert(parts).inserted
        if time == left, ofDay != 0 { shown.insert(parts) }
        if isNew || (time == left && ofDay == 0) { lines.append(time) }
      } else if ofDay % step == 0 {
        let isFirst = shown.insert(parts).inserted
        if isFirst || step <= 3_600_000 { lines.append(time) }
      }
    }
    return lines
  }

  private func lines(_ zone: ZoneOffsets, from left: Int64, to right: Int64, step: Int64)
    -> [Int64]
  {
    var times: [Int64] = []
    let viewport = Viewport(
      width: 1000, height: 100, rightTime: Double(right),
      millisecondsPerPixel: Double(right - left) / 1000)
    // Months have at least 28 days.
    let room = step == 30 * ZoneOffsetsTests.day ? 28 * ZoneOffsetsTests.day : step
    let wanted = Double(room) / viewport.millisecondsPerPixel
    let drawn = TimeAxis.forEachGridTime(of: viewport, minimumPixels: wanted, zone: zone) {
      times.append($0)
    }
    #expect(drawn == step)
    return times
  }

  // 15 November 2026; the nights of 25 October (Berlin), 1 November 2026 (New York) and
  // 28 March 2027 (Berlin), 4 October 2026 (Lord Howe, half an hour), 1 November 2026 (Havana, over
  // midnight back), 4 November 2018 (São Paulo, without midnight).
  @Test(arguments: [
    ("America/New_York", 1_794_700_800_000), ("Europe/Berlin", 1_794_700_800_000),
    ("Asia/Kolkata", 1_794_700_800_000), ("Europe/Berlin", 1_792_886_400_000),
    ("America/New_York", 1_793_491_200_000), ("Europe/Berlin", 1_806_192_000_000),
    ("Australia/Lord_Howe", 1_791_072_000_000), ("America/Havana", 1_793_491_200_000),
    ("America/Sao_Paulo", 1_541_289_600_000), ("UTC", 1_794_700_800_000),
  ]) func `lines fall on the hours and days that the clock shows`(name: String, middle: Int64)
    throws
  {
    let zone = try #require(TimeZone(identifier: name))
    for (step, halfDays) in [
      (900_000, 1), (3_600_000, 1), (7_200_000, 2), (21_600_000, 4), (86_400_000, 12),
    ] as [(Int64, Int64)] {
      let reach = halfDays * ZoneOffsetsTests.day / 4
      let (left, right) = (middle - reach + 60_000, middle + reach)
      let offsets = offsets(zone, from: left - ZoneOffsetsTests.day, to: right)
      let found = lines(offsets, from: left, to: right, step: step)
      let expected = naive(zone, from: left, to: right, step: step)
      #expect(found == expected, "\(name) step \(step)")
    }
  }

  @Test(arguments: ["America/New_York", "Europe/Berlin", "Asia/Kolkata", "America/Sao_Paulo"])
  func `a day begins as in the calendar`(name: String) throws {
    let zone = try #require(TimeZone(identifier: name))
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let (left, right): (Int64, Int64) = (1_530_403_200_000, 1_561_939_200_000)
    let offsets = offsets(zone, from: left, to: right)
    for time in stride(from: left + 3 * ZoneOffsetsTests.day, to: right, by: 5_407_000) {
      let now = Date(timeIntervalSince1970: Double(time) / 1000)
      let expected = Int64(calendar.startOfDay(for: now).timeIntervalSince1970 * 1000)
      #expect(offsets.startOfDay(time) == expected)
      #expect(offsets.offset(at: time) == Int64(zone.secondsFromGMT(for: now)) * 1000)
    }
  }

  @Test func `months of a zone with daylight saving begin at its own midnight`() throws {
    let zone = try #require(TimeZone(identifier: "America/New_York"))
    let (left, right): (Int64, Int64) = (1_767_225_600_000, 1_798_761_600_000)
    let offsets = offsets(zone, from: left, to: right)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    for time in lines(offsets, from: left, to: right, step: 30 * ZoneOffsetsTests.day) {
      let parts = calendar.dateComponents(
        [.day, .hour, .minute], from: Date(timeIntervalSince1970: Double(time) / 1000))
      #expect([parts.day, parts.hour, parts.minute] == [1, 0, 0])
    }
  }

  @Test func `changes come in order, are bounded in number and size, and hostile ones do nothing`()
  {
    var zone = ZoneOffsets(.max)
    #expect(zone.offset(at: 0) == ZoneOffsets.maximumOffset)
    for change in 0..<ZoneOffsets.maximumChanges {
      let taken = zone.append(from: Int64(change) * 1000, offset: .min)
      #expect(taken)
    }
    let isOneTooMany = zone.append(from: 1_000_000, offset: 0)
    #expect(!isOneTooMany)
    var other = ZoneOffsets.utc
    for (time, isTaken) in [(Int64.max, false), (.min, false), (5, true), (5, false), (4, false)] {
      let taken = other.append(from: time, offset: 60_000)
      #expect(taken == isTaken)
    }
    #expect(other.offset(at: 4) == 0 && other.offset(at: 5) == 60_000)
  }
}
