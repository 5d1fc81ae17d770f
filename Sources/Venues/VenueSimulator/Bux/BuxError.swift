import WireJSON

/// A BUX refusal; status and body follow the assignment's list of codes.
struct BuxError: Error, Equatable {
  let status: Int
  /// "AUTH_009".
  let code: String
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

  /// The error for an `Authorization` header; nil when it is accepted.
  ///
  /// Any bearer token is accepted unless `acceptedToken` is set. The tokens "expired" and
  /// "forbidden" get the errors of these names, for tests of the error screens.
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
