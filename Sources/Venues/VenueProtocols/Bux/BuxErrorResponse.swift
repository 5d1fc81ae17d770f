public import MarketModel
import WireJSON

/// An error body of BUX: `{"message":null,"developerMessage":"…","errorCode":"AUTH_008"}`, all
/// optional.
///
/// The same codes come over HTTP and in the feed's `connect.failed`.
public struct BuxErrorResponse: Hashable, Sendable {
  /// Longer bodies are not read.
  static let maximumBytes = 16_384

  /// BUX's text for users, often null; at most 200 characters, without control characters.
  public let message: String?
  /// For logs.
  public let developerMessage: String?
  /// "TRADING_002".
  public let errorCode: String?

  /// Reads an error body; nil for anything else (empty, HTML, cut).
  public init?(decoding bytes: Span<UInt8>) {
    guard bytes.count <= BuxErrorResponse.maximumBytes else { return nil }
    var cursor = JSONCursor()
    do throws(JSONError) {
      let response = try BuxErrorResponse(bytes, &cursor)
      try cursor.finish(bytes)
      self = response
    } catch { return nil }
  }

  init(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) {
    var (message, developerMessage, errorCode): (String?, String?, String?)
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "message": message = try BuxErrorResponse.text(bytes, &cursor)
      case "developerMessage": developerMessage = try BuxErrorResponse.text(bytes, &cursor)
      case "errorCode": errorCode = try BuxErrorResponse.text(bytes, &cursor)
      default: break
      }
    }
    (self.message, self.developerMessage) = (message, developerMessage)
    self.errorCode = errorCode
  }

  /// The failure of a product request: from BUX's code if there is one, else from the status.
  public static func failure(status: Int, body: Span<UInt8>) -> ProductFailure {
    let response = BuxErrorResponse(decoding: body)
    if let code = response?.errorCode, let known = known(code) { return known }
    let byStatus = failure(status: status)
    guard let code = response?.errorCode else { return byStatus }
    guard let message = response?.message else {
      return ProductFailure(
        code: code, userMessage: byStatus.userMessage, canRetry: byStatus.canRetry)
    }
    return ProductFailure(
      code: code, userMessage: "BUX answered: “\(message)”", canRetry: byStatus.canRetry)
  }

  /// The failure for a BUX code; nil for unknown codes.
  public static func known(_ code: String) -> ProductFailure? {
    switch code {
    case "TRADING_002":
      ProductFailure(
        code: code, userMessage: "BUX had an unexpected problem. Try again in a moment.",
        canRetry: true)
    case "AUTH_001":
      refusal(code, "BUX did not accept the sign-in. Check the access token in the settings.")
    case "AUTH_007":
      refusal(code, "The access token is not valid. Enter a new one in the settings.")
    case "AUTH_008": refusal(code, "The access token has expired. Enter a new one in the settings.")
    case "AUTH_009", "RTF_002":
      refusal(code, "BUX needs an access token and none was sent. Enter one in the settings.")
    case "AUTH_014":
      refusal(code, "The access token has no permission for this. Use one with more rights.")
    default: nil
    }
  }

  private static func refusal(_ code: String, _ message: Sentence) -> ProductFailure {
    ProductFailure(code: code, userMessage: message, canRetry: false)
  }

  private static func failure(status: Int) -> ProductFailure {
    let (code, message, canRetry): (String, Sentence, Bool) =
      switch status {
      case 401:
        ("HTTP_401", "BUX did not accept the access token. Check it in the settings.", false)
      case 403: ("HTTP_403", "BUX does not allow this with the present access token.", false)
      case 404, 410: ("NOT_FOUND", "BUX knows no such product.", false)
      case 408: ("HTTP_408", "BUX took too long to respond. Try again.", true)
      case 429: ("HTTP_429", "Too many requests to BUX. Wait a moment, then try again.", true)
      case 500...599:
        ("HTTP_\(status)", "BUX is not available at the moment. Try again in a moment.", true)
      default: ("HTTP_\(status)", "BUX refused the request (status \(status)).", false)
      }
    return ProductFailure(code: code, userMessage: message, canRetry: canRetry)
  }

  /// A string cut to 200 characters; nil for null, blank and other types.
  private static func text(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> String? {
    guard try cursor.peek(bytes) == UInt8(ascii: "\"") else {
      try cursor.skipValue(bytes)
      return nil
    }
    let text = try cursor.text(bytes, maximumBytes: maximumBytes)
    let shown = ForeignText.clean(text)
    return shown.allSatisfy { $0 == " " } ? nil : shown
  }
}
