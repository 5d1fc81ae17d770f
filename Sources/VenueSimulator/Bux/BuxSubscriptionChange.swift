// What a client of the BUX feed may say.

import MarketModel
import WireJSON

/// The channels of one message; either list may be missing or empty.
struct BuxSubscriptionChange: Sendable, Equatable {
  /// Channels taken from one message.
  static let maximumChannels = 200
  /// The longest channel name that is read, in bytes.
  static let maximumNameBytes = 128

  /// `subscribeTo`.
  var subscribed: [String] = []
  /// `unsubscribeFrom`.
  var unsubscribed: [String] = []

  /// Reads a message; an error when it is not an object of this shape.
  init(_ bytes: Span<UInt8>) throws(JSONError) {
    var cursor = JSONCursor()
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      if JSONText.equals(bytes, key, "subscribeTo") {
        subscribed = try BuxSubscriptionChange.channels(bytes, &cursor)
      } else if JSONText.equals(bytes, key, "unsubscribeFrom") {
        unsubscribed = try BuxSubscriptionChange.channels(bytes, &cursor)
      } else {
        try cursor.skipValue(bytes)
      }
    }
    try cursor.finish(bytes)
  }

  private static func channels(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> [String] {
    if try cursor.takeNullIfPresent(bytes) { return [] }
    var channels: [String] = []
    try cursor.beginArray(bytes)
    var first = true
    while try cursor.nextElement(bytes, first: &first) {
      let channel = try cursor.text(bytes, maximumBytes: maximumNameBytes)
      if channels.count < maximumChannels { channels.append(channel) }
    }
    return channels
  }
}
