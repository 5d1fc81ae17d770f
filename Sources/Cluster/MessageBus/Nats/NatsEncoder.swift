import NIOCore
import WireJSON

/// Encodes the client's operations; subjects are validated beforehand.
enum NatsEncoder {
  static let ping = ByteBuffer(string: "PING\r\n")
  static let pong = ByteBuffer(string: "PONG\r\n")

  /// CONNECT, followed by a PING whose response ends the handshake.
  static func connect(
    name: String, credentials: NatsAddress.Credentials, isSecure: Bool
  ) -> ByteBuffer {
    var json = JSONWriter()
    json.beginObject()
    for (key, value) in [
      ("verbose", false), ("pedantic", false), ("tls_required", isSecure), ("headers", true),
      ("no_responders", true), ("echo", true),
    ] {
      json.key(text: key)
      json.boolean(value)
    }
    json.member("name", name)
    json.member("lang", "swift")
    json.member("version", "1")
    json.member("protocol", 1)
    switch credentials {
    case .none: break
    case .token(let token): json.member("auth_token", token)
    case .user(let user, let password):
      json.member("user", user)
      json.member("pass", password)
    }
    json.endObject()
    var bytes = ByteBuffer(string: "CONNECT ")
    bytes.writeBytes(json.bytes)
    bytes.writeStaticString("\r\nPING\r\n")
    return bytes
  }

  static func publish(
    _ subject: String, replyTo: String? = nil, _ payload: ByteBuffer, to bytes: inout ByteBuffer
  ) {
    bytes.writeStaticString("PUB ")
    write(subject, replyTo, to: &bytes)
    writeNumber(payload.readableBytes, to: &bytes)
    bytes.writeStaticString("\r\n")
    bytes.writeImmutableBuffer(payload)
    bytes.writeStaticString("\r\n")
  }

  /// With one header, whose name and value contain no line ends.
  static func publish(
    _ subject: String, replyTo: String? = nil, header: (name: StaticString, value: UInt64),
    _ payload: ByteBuffer, to bytes: inout ByteBuffer
  ) {
    let value = String(header.value)
    let start: StaticString = "NATS/1.0\r\n"
    let count =
      start.utf8CodeUnitCount + header.name.utf8CodeUnitCount + 2 + value.utf8.count + 4
    bytes.writeStaticString("HPUB ")
    write(subject, replyTo, to: &bytes)
    writeNumber(count, to: &bytes)
    bytes.writeStaticString(" ")
    writeNumber(count + payload.readableBytes, to: &bytes)
    bytes.writeStaticString("\r\n")
    bytes.writeStaticString(start)
    bytes.writeStaticString(header.name)
    bytes.writeStaticString(": ")
    bytes.writeString(value)
    bytes.writeStaticString("\r\n\r\n")
    bytes.writeImmutableBuffer(payload)
    bytes.writeStaticString("\r\n")
  }

  static func subscribe(_ subject: String, _ number: UInt64, to bytes: inout ByteBuffer) {
    bytes.writeStaticString("SUB ")
    bytes.writeString(subject)
    bytes.writeStaticString(" ")
    bytes.writeString(String(number))
    bytes.writeStaticString("\r\n")
  }

  static func unsubscribe(_ number: UInt64, to bytes: inout ByteBuffer) {
    bytes.writeStaticString("UNSUB ")
    bytes.writeString(String(number))
    bytes.writeStaticString("\r\n")
  }

  private static func write(_ subject: String, _ replyTo: String?, to bytes: inout ByteBuffer) {
    bytes.writeString(subject)
    bytes.writeStaticString(" ")
    if let replyTo {
      bytes.writeString(replyTo)
      bytes.writeStaticString(" ")
    }
  }

  private static func writeNumber(_ number: Int, to bytes: inout ByteBuffer) {
    bytes.writeString(String(number))
  }
}
