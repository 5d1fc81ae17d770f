#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A moment in HTTP/1.1's date format (RFC 9110 section 5.6.7), to the second.
public struct HTTPDate: Sendable, Hashable {
  /// Seconds since 1970, UTC.
  public let seconds: Int64

  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Wraps seconds since 1970.
  public init(seconds: Int64) { self.seconds = seconds }

  /// The machine's wall clock.
  public static var now: HTTPDate { HTTPDate(seconds: Int64(time(nil))) }

  /// Parses "Sun, 06 Nov 1994 08:49:37 GMT", not checking the weekday; nil for other formats.
  public init?(_ text: some StringProtocol) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 6, words[0].utf8.count == 4, words[5] == "GMT",
      let month = HTTPDate.months.firstIndex(where: { $0 == words[2] }),
      let day = HTTPDate.number(words[1], 2), let year = HTTPDate.number(words[3], 4)
    else { return nil }
    let clock = words[4].split(separator: ":", omittingEmptySubsequences: false)
    guard clock.count == 3, let hour = HTTPDate.number(clock[0], 2),
      let minute = HTTPDate.number(clock[1], 2), let second = HTTPDate.number(clock[2], 2),
      (1...31).contains(day), year >= 1970, hour < 24, minute < 60, second < 61
    else { return nil }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, Int32(month), day)
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (hour, minute, second)
    seconds = Int64(timegm(&parts))
  }

  private static func number(_ text: some StringProtocol, _ digits: Int) -> Int32? {
    guard text.utf8.count == digits, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
      return nil
    }
    return Int32(text)
  }

  /// "Sun, 06 Nov 1994 08:49:37 GMT".
  public var text: String {
    var moment = time_t(seconds)
    var parts = tm()
    gmtime_r(&moment, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (day, month) = (HTTPDate.days[Int(parts.tm_wday)], HTTPDate.months[Int(parts.tm_mon)])
    return "\(day), \(two(parts.tm_mday)) \(month) \(1900 + Int(parts.tm_year)) "
      + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
  }
}
