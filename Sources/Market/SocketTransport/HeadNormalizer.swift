import NIOCore
import NIOHTTP1

protocol NormalizableHead: Equatable {
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

  /// Moves an absolute target's authority to the Host, which it overrides (RFC 9112 section 3.2.2).
  ///
  /// A request without exactly one Host is invalid and stays unchanged.
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
  /// Removes spaces and tabs around every value (RFC 9110 section 5.5).
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
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
}

/// Normalizes each head; directly behind the decoder, and leaves the pipeline before it.
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
