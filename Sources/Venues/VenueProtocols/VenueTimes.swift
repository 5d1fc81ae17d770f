public import MarketModel
import WireJSON

/// The times that a venue writes into a message, for measuring latency.
///
/// They are read apart from the contents, so a missing or odd time does no harm.
public enum VenueTimes: Equatable, Sendable {
  /// The time of the latest event in the message.
  case event(Timestamp)
  /// The response to the ping of this number, with the times of its arrival and of the response.
  case pong(number: Int64, got: Timestamp, answered: Timestamp)
}

extension VenueSession {
  /// The resolution of the venue's times, in nanoseconds; nil without times or a documented unit.
  public var timeResolutionNanoseconds: Int64? { nil }

  /// The times in a message; nil where it has none, or covers the past.
  ///
  /// O(length of the message) up to 64 KiB; nil for longer messages.
  public func times(in bytes: Span<UInt8>) -> VenueTimes? { nil }

  /// A ping whose response contains the venue's time; nil where the venue has none.
  public func clockPing(_ number: Int64) -> OutboundMessage? { nil }
}

enum RowTimes {
  static let maximumBytes = 64 << 10

  /// The latest time of the objects in the array at the cursor; nil without any.
  static func latest(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor, key name: StaticString = "timestamp",
    inMilliseconds: Bool = false
  ) throws(JSONError) -> Timestamp? {
    var latest: Timestamp?
    try cursor.beginArray(bytes)
    var firstRow = true
    while try cursor.nextElement(bytes, first: &firstRow) {
      try cursor.beginObject(bytes)
      var first = true
      while let key = try cursor.nextKey(bytes, first: &first) {
        if JSONText.equals(bytes, key, name) {
          let time =
            try inMilliseconds ? cursor.milliseconds(bytes) : cursor.timestamp(bytes)
          latest = latest.map { max($0, time) } ?? time
        } else {
          try cursor.skipValue(bytes)
        }
      }
    }
    return latest
  }
}
