package import NIOHTTP1

/// Paths with separate rules: other methods, small bodies, rejections in another format.
///
/// A function handles them, so that no other route can respond.
package struct HTTPBranch: Sendable {
  /// The maximum body size in bytes; a larger one gets 413.
  var maximumBodyBytes: Int
  /// Whether a request belongs to the branch; called on the event loop.
  var takes: @Sendable (HTTPRequestHead) -> Bool
  /// Converts the server's rejections to the branch's format.
  var form: @Sendable (PlainResponse) -> PlainResponse
  /// Handles an accepted request with its body; not on the event loop.
  var respond: @Sendable (HTTPRequestHead, [UInt8]) async -> PlainResponse

  /// Creates a branch.
  package init(
    maximumBodyBytes: Int, takes: @escaping @Sendable (HTTPRequestHead) -> Bool,
    form: @escaping @Sendable (PlainResponse) -> PlainResponse,
    respond: @escaping @Sendable (HTTPRequestHead, [UInt8]) async -> PlainResponse
  ) {
    (self.maximumBodyBytes, self.takes) = (maximumBodyBytes, takes)
    (self.form, self.respond) = (form, respond)
  }

  static let tooLong = PlainResponse(
    status: .payloadTooLarge, text: "The body of the request is too long.\n")
}
