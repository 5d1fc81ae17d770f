import NIOCore
import NIOHTTP1

final class HTTPResponseCollector: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart

  enum Excess {
    case cut
    case fail
  }

  private let maximumBodyBytes: Int
  private let excess: Excess
  private var overhead: ResponseOverhead?
  private var finish: ((Result<HTTPClientResponse, any Error>) -> Void)?
  private var head: HTTPResponseHead?
  private var body = ByteBuffer()

  /// `finish` is called exactly once.
  init(
    maximumBodyBytes: Int, excess: Excess,
    finish: @escaping (Result<HTTPClientResponse, any Error>) -> Void
  ) {
    self.maximumBodyBytes = maximumBodyBytes
    self.excess = excess
    self.finish = finish
  }

  func handlerAdded(context: ChannelHandlerContext) {
    overhead = try? context.pipeline.syncOperations.handler(type: ResponseOverhead.self)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch Self.unwrapInboundIn(data) {
    case .head(let head): self.head = head
    case .body(var part): add(&part)
    case .end: complete()
    }
  }

  private func add(_ part: inout ByteBuffer) {
    overhead?.bodyBytes += part.readableBytes
    let room = maximumBodyBytes - body.readableBytes
    if part.readableBytes <= room {
      body.writeBuffer(&part)
    } else if excess == .cut {
      if var fitting = part.readSlice(length: room) { body.writeBuffer(&fitting) }
      complete()
    } else {
      end(.failure(TransportError.responseTooLarge(maximumBytes: maximumBodyBytes)))
    }
  }

  private func complete() {
    guard let head else { return }
    let headers = head.headers.map { (name: $0.name, value: $0.value) }
    end(.success(HTTPClientResponse(status: Int(head.status.code), headers: headers, body: body)))
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { end(.failure(error)) }

  func channelInactive(context: ChannelHandlerContext) {
    end(.failure(ChannelError.eof))
    context.fireChannelInactive()
  }

  private func end(_ result: Result<HTTPClientResponse, any Error>) {
    finish?(result)
    finish = nil
  }
}
