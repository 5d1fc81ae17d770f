extension Timestamp: CustomStringConvertible {
  /// "2021-07-22T22:36:07.865Z": UTC with milliseconds.
  public var description: String {
    let date = CivilDate(daysSince1970: floorDivide(milliseconds, 86_400_000))
    let inDay = milliseconds - date.daysSince1970 * 86_400_000
    let fields = [
      padded(date.year, 4), "-", padded(date.month, 2), "-", padded(date.day, 2), "T",
      padded(inDay / 3_600_000, 2), ":", padded(inDay / 60_000 % 60, 2), ":",
      padded(inDay / 1000 % 60, 2), ".", padded(inDay % 1000, 3), "Z",
    ]
    return fields.joined()
  }

  /// Reads an RFC 3339 time: `YYYY-MM-DDTHH:MM:SS[.fraction]`, then `Z` or an offset (`+02:00`).
  ///
  /// The fraction has 1 to 9 digits; `t` and `z` are accepted. Nil otherwise and before 1970.
  public init?(iso8601 bytes: Span<UInt8>) {
    guard bytes.count >= 20, bytes.count <= 35, let (end, offset) = zone(bytes),
      bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      bytes[10] | 0x20 == UInt8(ascii: "t"),
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      let year = digits(bytes, 0, 4), let month = digits(bytes, 5, 2),
      let day = digits(bytes, 8, 2), let hour = digits(bytes, 11, 2),
      let minute = digits(bytes, 14, 2), let second = digits(bytes, 17, 2)
    else { return nil }
    var fraction: Int64 = 0
    if end > 19 {
      let length = end - 20
      guard bytes[19] == UInt8(ascii: "."), (1...9).contains(length),
        let read = digits(bytes, 20, length)
      else { return nil }
      fraction = read * powerOfTen(9 - length)
    }
    self.init(
      date: (year, month, day), time: (hour, minute, second), nanoseconds: fraction,
      utcOffset: offset)
  }

  /// A time of a clock that is `utcOffset` seconds before UTC, with `nanoseconds` of a second.
  ///
  /// Nil for dates and times that don't exist, before 1970 and after 2200; accepts leap seconds.
  public init?(
    date: (year: Int64, month: Int64, day: Int64),
    time: (hour: Int64, minute: Int64, second: Int64), nanoseconds: Int64, utcOffset: Int64 = 0
  ) {
    guard date.year >= 1970, date.year <= 2200, (1...12).contains(date.month), date.day >= 1,
      time.hour < 24, time.minute < 60, time.second < 61
    else { return nil }
    let civil = CivilDate(year: date.year, month: date.month, day: date.day)
    let days = civil.daysSince1970
    guard date.day <= 28 || CivilDate(daysSince1970: days) == civil else { return nil }
    let seconds = days * 86_400 + time.hour * 3600 + time.minute * 60 + time.second - utcOffset
    guard seconds >= 0 else { return nil }
    self.init(nanoseconds: seconds * 1_000_000_000 + nanoseconds)
  }

  /// Reads the same text from a string.
  public init?(iso8601 text: String) { self.init(iso8601: ContiguousArray(text.utf8).span) }
}

/// A day of the proleptic Gregorian calendar (Howard Hinnant's civil-date algorithms).
struct CivilDate: Equatable {
  var year: Int64
  var month: Int64
  var day: Int64

  init(year: Int64, month: Int64, day: Int64) {
    (self.year, self.month, self.day) = (year, month, day)
  }

  init(daysSince1970: Int64) {
    let shifted = daysSince1970 + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthIndex = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthIndex + 2) / 5 + 1
    month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  var daysSince1970: Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = floorDivide(shiftedYear, 400)
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}

private func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
  let quotient = value / divisor
  return value % divisor < 0 ? quotient - 1 : quotient
}

private func padded(_ value: Int64, _ width: Int) -> String {
  let text = String(value)
  return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
}

/// The start of the zone of an RFC 3339 time of at least 20 bytes, and its UTC offset in seconds.
private func zone(_ bytes: Span<UInt8>) -> (start: Int, seconds: Int64)? {
  let last = bytes.count - 1
  if bytes[last] | 0x20 == UInt8(ascii: "z") { return (last, 0) }
  let start = bytes.count - 6
  guard start >= 19, bytes[start] == UInt8(ascii: "+") || bytes[start] == UInt8(ascii: "-"),
    bytes[start + 3] == UInt8(ascii: ":"), let hours = digits(bytes, start + 1, 2),
    let minutes = digits(bytes, start + 4, 2), hours < 24, minutes < 60
  else { return nil }
  let seconds = hours * 3600 + minutes * 60
  return (start, bytes[start] == UInt8(ascii: "-") ? -seconds : seconds)
}

private func digits(_ bytes: Span<UInt8>, _ start: Int, _ count: Int) -> Int64? {
  var value: Int64 = 0
  for index in start..<(start + count) {
    let digit = bytes[index] &- UInt8(ascii: "0")
    if digit > 9 { return nil }
    value = value * 10 + Int64(digit)
  }
  return value
}
