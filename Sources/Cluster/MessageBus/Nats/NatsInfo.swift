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
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "version": version = try cursor.text(bytes, maximumBytes: 64)
      case "max_payload": maximumPayload = Int(clamping: max(0, try cursor.integer(bytes)))
      case "headers": hasHeaders = try cursor.boolean(bytes)
      case "tls_required": requiresTLS = try cursor.boolean(bytes)
      case "tls_available": offersTLS = try cursor.boolean(bytes)
      case "ldm": isLeaving = try cursor.boolean(bytes)
      default: break
      }
    }
    try cursor.finish(bytes)
  }
}
