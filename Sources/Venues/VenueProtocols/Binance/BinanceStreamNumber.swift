import WireJSON

extension StreamNumber {
  /// Of an update, best levels or a trade in Binance's format: `{"stream":…,"data":{"u":…}}`.
  static func binance(_ bytes: Span<UInt8>) -> StreamNumber? { try? read(bytes) }

  private static func read(_ bytes: Span<UInt8>) throws(JSONError) -> StreamNumber? {
    var cursor = JSONCursor()
    var (stream, number): (String?, Int64?) = (nil, nil)
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      if JSONText.equals(bytes, key, "stream") {
        stream = try cursor.text(bytes, maximumBytes: 64)
      } else if JSONText.equals(bytes, key, "data"), try cursor.peek(bytes) == UInt8(ascii: "{") {
        try cursor.beginObject(bytes)
        var isFirst = true
        while let key = try cursor.nextKey(bytes, first: &isFirst) {
          if JSONText.equals(bytes, key, "u") || JSONText.equals(bytes, key, "t") {
            number = try cursor.integer(bytes)
          } else {
            try cursor.skipValue(bytes)
          }
        }
      } else {
        try cursor.skipValue(bytes)
      }
    }
    guard let stream, let number else { return nil }
    return StreamNumber(stream, number)
  }
}
