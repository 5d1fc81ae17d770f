// The errors of the BUX venue: status and body by the assignment's list of codes.

import WireJSON

/// A refusal with its code.
struct BuxError: Error, Equatable {
  /// The HTTP status.
  let status: Int
  /// "AUTH_009".
  let code: String
  /// For developers.
  let explanation: String

  static let missingHeader = BuxError(
    status: 401, code: "AUTH_009", explanation: "Authorization header is missing")
  static let invalidToken = BuxError(
    status: 401, code: "AUTH_007", explanation: "Access token is not valid")
  static let expiredToken = BuxError(
    status: 401, code: "AUTH_008", explanation: "Access token is expired")
  static let noPermission = BuxError(
    status: 403, code: "AUTH_014", explanation: "User does not have sufficient permissions")
  static let unexpected = BuxError(
    status: 500, code: "TRADING_002", explanation: "Unexpected error")
  static let missingTokenOnFeed = BuxError(
    status: 401, code: "RTF_002", explanation: "Missing JWT Access Token in request")

  /// The answer over HTTP.
  var response: VenueResponse {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("message")
    writer.null()
    writer.member("developerMessage", explanation)
    writer.member("errorCode", code)
    writer.endObject()
    return .json(writer, status: status)
  }

  /// The answer over the feed.
  var feedEvent: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("t", "connect.failed")
    writer.key("body")
    writer.beginObject()
    writer.member("developerMessage", explanation)
    writer.member("errorCode", code)
    writer.endObject()
    writer.endObject()
    return writer.bytes
  }

  /// Nil when the value of an `Authorization` header is accepted.
  ///
  /// Any bearer token is, unless `acceptedToken` is set; the tokens "expired" and "forbidden" get
  /// the errors of that name, so that their screens can be tried.
  static func of(authorization: String?, acceptedToken: String?) -> BuxError? {
    guard let authorization, !authorization.isEmpty else { return missingHeader }
    guard authorization.hasPrefix("Bearer ") else { return invalidToken }
    let token = String(authorization.dropFirst("Bearer ".count))
    switch token {
    case "expired": return expiredToken
    case "forbidden": return noPermission
    case "": return invalidToken
    default: return acceptedToken == nil || token == acceptedToken ? nil : invalidToken
    }
  }
}
