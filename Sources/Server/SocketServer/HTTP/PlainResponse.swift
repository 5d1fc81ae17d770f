// Short responses in words, for whoever asked wrongly.

package import HTTPTypes
package import Hummingbird
import HummingbirdCore
import NIOCore
package import NIOHTTP1

/// A status with a line of text.
package struct PlainResponse: Sendable, Equatable {
  /// The status.
  package let status: HTTPResponseStatus
  /// Headers beside those of every response; without a Content-Type the body is plain text.
  package var headers: HTTPHeaders
  /// The body.
  package let text: String

  /// Puts a response together.
  package init(status: HTTPResponseStatus, headers: HTTPHeaders = [:], text: String) {
    (self.status, self.headers, self.text) = (status, headers, text)
  }

  /// Whether it tells a client that its request was wrong.
  var isRefusal: Bool { status.code >= 400 }
}

extension Response {
  /// A line of text.
  package static func plain(
    _ status: HTTPResponse.Status, _ text: String, headers: HTTPFields = [:]
  ) -> Response {
    var fields = headers
    fields[.contentType] = "text/plain; charset=utf-8"
    return Response(
      status: status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}
