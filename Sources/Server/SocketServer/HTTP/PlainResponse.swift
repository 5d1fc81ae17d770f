package import HTTPTypes
package import Hummingbird
import HummingbirdCore
import NIOCore
package import NIOHTTP1

/// A short text response, mostly for invalid requests.
package struct PlainResponse: Sendable, Equatable {
  /// The status.
  package let status: HTTPResponseStatus
  /// Additional headers; without a Content-Type the body is plain text.
  package var headers: HTTPHeaders
  /// The body.
  package let text: String

  /// Creates a response.
  package init(status: HTTPResponseStatus, headers: HTTPHeaders = [:], text: String) {
    (self.status, self.headers, self.text) = (status, headers, text)
  }

  var isRefusal: Bool { status.code >= 400 }
}

extension Response {
  /// A text response.
  package static func plain(
    _ status: HTTPResponse.Status, _ text: String, headers: HTTPFields = [:]
  ) -> Response {
    var fields = headers
    fields[.contentType] = "text/plain; charset=utf-8"
    return Response(
      status: status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}
