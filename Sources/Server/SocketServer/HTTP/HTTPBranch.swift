// Paths that follow rules of their own: other methods, small bodies, refusals in their own form.
// The routes behind them are a function, so that nothing answers for them but what stands there.

package import NIOHTTP1

/// The paths of one kind, and what answers at them.
package struct HTTPBranch: Sendable {
  /// The longest body that is read, in bytes; a longer one is answered with 413.
  var maximumBodyBytes: Int
  /// Whether a request is for this branch; asked on the event loop.
  var takes: @Sendable (HTTPRequestHead) -> Bool
  /// Gives a refusal that the server makes by itself the branch's own form.
  var form: @Sendable (PlainResponse) -> PlainResponse
  /// Answers a welcome request and its body; not on the event loop.
  var respond: @Sendable (HTTPRequestHead, [UInt8]) async -> PlainResponse

  /// Puts a branch together.
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
