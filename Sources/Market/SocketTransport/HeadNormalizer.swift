// What a parser leaves in a head although it has no meaning there. Everything above reads heads
// that are normal, so that no reader of a field has to care.

import NIOCore
import NIOHTTP1

/// A head that is brought into the form that its readers expect.
protocol NormalizableHead: Equatable {
  /// Removes what has no meaning.
  mutating func normalize()
}

extension HTTPResponseHead: NormalizableHead {
  mutating func normalize() { headers.trimValues() }
}

extension HTTPRequestHead: NormalizableHead {
  mutating func normalize() {
    headers.trimValues()
    useAuthorityOfTarget()
  }

  /// Makes an absolute target a path, and its authority the Host, which a server must ignore beside
  /// it (RFC 9112 section 3.2.2).
  ///
  /// A request without one Host stays as it is: it is invalid.
  private mutating func useAuthorityOfTarget() {
    let scheme = ["http://", "https://"].first { uri.prefix($0.utf8.count).lowercased() == $0 }
    guard let scheme, headers["host"].count == 1 else { return }
    let rest = uri.dropFirst(scheme.utf8.count)
    let authority = rest.prefix { !"/?#".contains($0) }
    let target = rest.dropFirst(authority.count)
    headers.replaceOrAdd(name: "Host", value: String(authority))
    uri = target.hasPrefix("/") ? String(target) : "/" + target
  }
}

extension HTTPHeaders {
  /// Removes the spaces and tabs around every value (RFC 9110 section 5.5).
  fileprivate mutating func trimValues() {
    guard contains(where: { $0.value.isPadded }) else { return }
    self = HTTPHeaders(map { ($0.name, $0.value.withoutPadding) })
  }
}

extension String {
  fileprivate var isPadded: Bool {
    utf8.first.map(\.isBlank) == true || utf8.last.map(\.isBlank) == true
  }

  fileprivate var withoutPadding: String {
    var rest = utf8.drop(while: \.isBlank)
    while rest.last?.isBlank == true { rest.removeLast() }
    return String(Substring(rest))
  }
}

extension UInt8 {
  /// Whether it is a space or a tab.
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
}

/// Normalizes each head; it belongs directly behind the decoder, and leaves the pipeline before it.
final class HeadNormalizer<Head: NormalizableHead>: ChannelInboundHandler,
  RemovableChannelHandler
{
  typealias InboundIn = HTTPPart<Head, ByteBuffer>
  typealias InboundOut = HTTPPart<Head, ByteBuffer>

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = Self.unwrapInboundIn(data) else {
      return context.fireChannelRead(data)
    }
    head.normalize()
    context.fireChannelRead(Self.wrapInboundOut(.head(head)))
  }
}
