// Short responses in words, for whoever asked wrongly.

import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOHTTP1

/// A status with a line of text.
struct PlainResponse: Sendable, Equatable {
  /// The status.
  let status: HTTPResponseStatus
  /// Headers beside those of every response.
  var headers: HTTPHeaders = [:]
  /// The body.
  let text: String

  /// Whether it tells a client that its request was wrong.
  var isRefusal: Bool { status.code >= 400 }
}

extension Response {
  /// A line of text.
  static func plain(
    _ status: HTTPResponse.Status, _ text: String, headers: HTTPFields = [:]
  ) -> Response {
    var fields = headers
    fields[.contentType] = "text/plain; charset=utf-8"
    return Response(
      status: status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}
