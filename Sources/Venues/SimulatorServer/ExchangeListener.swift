import Logging
import MarketModel
import NIOCore
import SimulatorHost
import SocketServer
import VenueSimulator

extension SocketListener {
  /// Listens for clients of the simulated exchange on a raw TCP port.
  static func exchange(
    host: String, port: Int, limits: SocketLimits, venues: SimulatedVenueHost, logger: Logger
  ) -> SocketListener {
    SocketListener(
      host: host, port: port, limits: limits, check: nil, on: venues.loop, logger: logger
    ) { channel, sockets, number in
      // Its clients never finish a request, so a greeting marks them as active.
      let guardian = GreetingGuard(milliseconds: sockets.limits.requestMilliseconds) {
        sockets.note(.busy, of: number)
      }
      try channel.pipeline.syncOperations.addHandlers(guardian, VenueStreamHandler(venues: venues))
    }
  }
}

private final class VenueStreamHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let venues: SimulatedVenueHost
  private var client: ClientID?

  init(venues: SimulatedVenueHost) { self.venues = venues }

  func channelActive(context: ChannelHandlerContext) {
    let request = VenueRequest(path: "/")
    guard venues.refusal(of: request, venue: .exchange) == nil else {
      context.close(promise: nil)
      return
    }
    client = venues.connect(
      ChannelClient(channel: context.channel, isStream: true), request, venue: .exchange)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard let client else { return }
    venues.receive(Array(unwrapInboundIn(data).readableBytesView), binary: true, from: client)
  }

  func channelInactive(context: ChannelHandlerContext) {
    if let client { venues.disconnect(client) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent { context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
