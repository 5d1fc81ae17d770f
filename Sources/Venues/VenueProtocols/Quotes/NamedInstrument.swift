import WireJSON

/// The instrument's name in a rejected message, so that only this instrument becomes doubtful.
enum NamedInstrument {
  /// The longest name, in bytes; no venue has a longer one.
  private static let maximumBytes = 256

  /// The text of a member of the object at an offset.
  ///
  /// - Returns: nil if it is missing, not text or present twice, or if the object is unreadable;
  ///   then the message may be about any instrument.
  static func text(
    _ name: StaticString, in bytes: Span<UInt8>, at offset: Int = 0
  ) -> String? {
    var cursor = JSONCursor(offset: offset)
    var found: String?
    do throws(JSONError) {
      try cursor.beginObject(bytes)
      var first = true
      while let key = try cursor.nextKey(bytes, first: &first) {
        guard JSONText.equals(bytes, key, name) else {
          try cursor.skipValue(bytes)
          continue
        }
        guard found == nil else { return nil }
        found = try cursor.text(bytes, maximumBytes: maximumBytes)
      }
    } catch {
      return nil
    }
    return found
  }
}
