// The tick feed's raw TCP port.

import MarketModel
import NIOCore
import NIOPosix
import ServiceLifecycle
import VenueSimulator

/// Listens for clients of the simulated exchange.
struct ExchangeListener: Service {
  /// The port, once bound; fails with a ``ListenError`` when it can't be had.
  let port: EventLoopFuture<Int>

  private let promise: EventLoopPromise<Int>
  private let address: (host: String, port: Int)
  private let venue: Int
  private let venues: SimulatedVenueHost

  init(host: String, port: Int, venue: Int, venues: SimulatedVenueHost) {
    promise = venues.loop.makePromise(of: Int.self)
    self.port = promise.futureResult
    address = (host, port)
    self.venue = venue
    self.venues = venues
  }

  func run() async throws {
    let (venue, venues) = (venue, venues)
    let listener: any NIOCore.Channel
    do {
      listener = try await ServerBootstrap(group: venues.loop)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(
              VenueStreamHandler(venue: venue, venues: venues))
          }
        }
        .bind(host: address.host, port: address.port).get()
    } catch {
      let failure = ListenError(address: "\(address.host):\(address.port)", cause: "\(error)")
      promise.fail(failure)
      throw failure
    }
    promise.succeed(listener.localAddress?.port ?? 0)
    try await withTaskCancellationHandler {
      try await withGracefulShutdownHandler {
        try await listener.closeFuture.get()
      } onGracefulShutdown: {
        listener.close(promise: nil)
      }
    } onCancel: {
      listener.close(promise: nil)
    }
  }
}

/// One raw TCP client of a venue.
private final class VenueStreamHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let venue: Int
  private let venues: SimulatedVenueHost
  private var client: ClientID?

  init(venue: Int, venues: SimulatedVenueHost) {
    self.venue = venue
    self.venues = venues
  }

  func channelActive(context: ChannelHandlerContext) {
    client = venues.connect(
      context.channel, VenueRequest(path: "/"), venue: venue, isStream: true)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard let client else { return }
    venues.receive(Array(unwrapInboundIn(data).readableBytesView), binary: true, from: client)
  }

  func channelInactive(context: ChannelHandlerContext) {
    if let client { venues.disconnect(client) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
