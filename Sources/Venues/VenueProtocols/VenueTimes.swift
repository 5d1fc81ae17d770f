// The times that a venue writes into its messages, for the latency of what they tell. Read from few
// messages only, and apart from their contents: a time that is missing or odd costs nothing.

public import MarketModel
import WireJSON

/// What a message says of when something happened at the venue.
public enum VenueTimes: Equatable, Sendable {
  /// The latest of what it tells happened then.
  case event(Timestamp)
  /// It answers the ping of this number, which came and was answered then.
  case pong(number: Int64, got: Timestamp, answered: Timestamp)
}

extension VenueSession {
  /// How finely the venue tells its times, in nanoseconds; nil where its messages have none, or
  /// none whose unit is known.
  public var timeResolutionNanoseconds: Int64? { nil }

  /// What a message says of its times; nil where it says nothing, or tells of the past.
  ///
  /// O(length of the message), which is at most 64 KiB: a longer one says nothing.
  public func times(in bytes: Span<UInt8>) -> VenueTimes? { nil }

  /// A ping whose answer tells the venue's time; nil where there is none.
  public func clockPing(_ number: Int64) -> OutboundMessage? { nil }
}

/// Reads the rows of a message for their times.
enum RowTimes {
  static let maximumBytes = 64 << 10

  /// The latest `timestamp` among the objects of the array at the cursor; nil without any.
  static func latest(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Timestamp? {
    var latest: Timestamp?
    try cursor.beginArray(bytes)
    var firstRow = true
    while try cursor.nextElement(bytes, first: &firstRow) {
      try cursor.beginObject(bytes)
      var first = true
      while let key = try cursor.nextKey(bytes, first: &first) {
        if JSONText.equals(bytes, key, "timestamp") {
          let time = try cursor.timestamp(bytes)
          latest = latest.map { max($0, time) } ?? time
        } else {
          try cursor.skipValue(bytes)
        }
      }
    }
    return latest
  }
}
