import WireJSON

/// A GET request that a session makes over HTTP beside its connection: a book's snapshot.
public struct FetchRequest: Sendable, Hashable {
  /// Path and query below the address of the venue's history: "/api/v3/depth?symbol=BTCUSDT".
  public let path: String
  /// The maximum bytes of the body; a longer one counts as no response.
  public let maximumBytes: Int

  /// Creates a request.
  public init(path: String, maximumBytes: Int) {
    (self.path, self.maximumBytes) = (path, maximumBytes)
  }
}

/// The outcome of a ``FetchRequest``, which a session receives as a message.
///
/// So a recording, a reader's stream and a checkpoint hold responses in the place where they
/// arrived, like any other message.
public struct FetchedResponse: Sendable, Equatable {
  /// The requested path; in a recording it may be the whole address.
  public let path: String
  /// The HTTP status; 0 without a complete response.
  public let status: Int
  /// The wait that the venue demands, in seconds; nil without one.
  public let retryAfterSeconds: Int?
  /// The body; a body that is not JSON counts as empty.
  public let body: [UInt8]

  /// Creates a response.
  public init(path: String, status: Int, retryAfterSeconds: Int? = nil, body: [UInt8] = []) {
    (self.path, self.status) = (path, status)
    (self.retryAfterSeconds, self.body) = (retryAfterSeconds, body)
  }

  /// `{"fetched":"/api/v3/depth?symbol=BTCUSDT","status":200,"body":{…}}`.
  ///
  /// `wait` holds the seconds of `retryAfterSeconds`. O(bytes of the body).
  public var message: [UInt8] {
    JSONWriter.object(capacity: body.count + 256) { writer in
      writer.member("fetched", path)
      writer.member("status", status)
      if let retryAfterSeconds { writer.member("wait", retryAfterSeconds) }
      let slice = body[...]
      if FetchedResponse.isJSON(slice.span) {
        writer.key("body")
        writer.raw(body)
      }
    }
  }

  /// What a message has after its path.
  struct Members {
    private(set) var status = 0
    private(set) var retryAfterSeconds: Int?
    /// Where the body begins; nil without one.
    private(set) var body: Int?

    /// Reads the rest of a message whose path has been read.
    init(_ bytes: Span<UInt8>, after cursor: inout JSONCursor) throws(JSONError) {
      var first = false
      while let key = try cursor.nextKey(bytes, first: &first) {
        if JSONText.equals(bytes, key, "status") {
          status = Int(clamping: try cursor.integer(bytes))
        } else if JSONText.equals(bytes, key, "wait") {
          retryAfterSeconds = Int(clamping: min(max(try cursor.integer(bytes), 0), 3600))
        } else {
          if JSONText.equals(bytes, key, "body") {
            _ = try cursor.peek(bytes)
            body = cursor.offset
          }
          try cursor.skipValue(bytes)
        }
      }
      try cursor.finish(bytes)
    }
  }

  private static func isJSON(_ bytes: Span<UInt8>) -> Bool {
    var cursor = JSONCursor()
    do throws(JSONError) {
      try cursor.skipValue(bytes)
      try cursor.finish(bytes)
      return true
    } catch {
      return false
    }
  }
}
