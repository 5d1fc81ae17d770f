public import NIOHTTP1

/// What a request asks about a WebSocket upgrade (RFC 6455 section 4.2.1).
public enum UpgradeRequest: Sendable, Equatable {
  /// Not an upgrade; HTTP responds.
  case none
  /// Valid; may be accepted.
  case lawful
  /// A version other than 13, or none: 426.
  case wrongVersion
  /// The key is not 16 bytes of base64, or there is a body: 400.
  case broken

  /// Reads a request's head.
  public init(_ head: HTTPRequestHead) {
    let headers = head.headers
    guard head.method == .GET,
      headers[canonicalForm: "upgrade"].contains(where: { $0.lowercased() == "websocket" }),
      headers[canonicalForm: "connection"].contains(where: { $0.lowercased() == "upgrade" })
    else {
      self = .none
      return
    }
    let keys = headers["sec-websocket-key"]
    if headers["sec-websocket-version"] != ["13"] {
      self = .wrongVersion
    } else if keys.count != 1 || !keys.allSatisfy(UpgradeRequest.isKey) || headers.announcesBody {
      self = .broken
    } else {
      self = .lawful
    }
  }

  /// Whether a text is 16 bytes in base64: 22 characters and "==".
  private static func isKey(_ text: String) -> Bool {
    text.utf8.count == 24 && text.hasSuffix("==")
      && text.utf8.dropLast(2).allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "+"), UInt8(ascii: "/"): true
        default: false
        }
      }
  }
}

extension HTTPHeaders {
  /// Whether a request with these headers has a body.
  public var announcesBody: Bool {
    contains(name: "transfer-encoding")
      || self[canonicalForm: "content-length"].contains { $0 != "0" }
  }
}
