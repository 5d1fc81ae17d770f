import WireJSON

/// The relevant parts of INFO, which a broker sends on connecting and later.
struct NatsInfo: Sendable, Equatable {
  /// The maximum bytes of INFO, which lists the servers of a cluster.
  static let maximumBytes = 64 << 10

  var version = ""
  var maximumPayload = 1 << 20
  var hasHeaders = false
  var requiresTLS = false
  var offersTLS = false
  /// The server will close soon; switch to another.
  var isLeaving = false

  init() {}

  /// Parses the JSON; unknown keys are skipped.
  init(_ json: [UInt8]) throws(NatsError) {
    self.init()
    do { try read(json) } catch { throw .malformedInfo }
  }

  private mutating func read(_ json: [UInt8]) throws(JSONError) {
    let slice = json[...]
    let bytes = slice.span
    var cursor = JSONCursor()
    var first = true
    try cursor.beginObject(bytes)
    while let key = try cursor.nextKey(bytes, first: &first) {
      if JSONText.equals(bytes, key, "version") {
        version = try cursor.text(bytes, maximumBytes: 64)
      } else if JSONText.equals(bytes, key, "max_payload") {
        maximumPayload = Int(clamping: max(0, try cursor.integer(bytes)))
      } else if JSONText.equals(bytes, key, "headers") {
        hasHeaders = try cursor.boolean(bytes)
      } else if JSONText.equals(bytes, key, "tls_required") {
        requiresTLS = try cursor.boolean(bytes)
      } else if JSONText.equals(bytes, key, "tls_available") {
        offersTLS = try cursor.boolean(bytes)
      } else if JSONText.equals(bytes, key, "ldm") {
        isLeaving = try cursor.boolean(bytes)
      } else {
        try cursor.skipValue(bytes)
      }
    }
    try cursor.finish(bytes)
  }
}
