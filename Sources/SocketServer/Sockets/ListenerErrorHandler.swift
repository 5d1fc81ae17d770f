// Errors of a listening socket: NIO reports a connection that could not be set up (an option that
// the system refuses, a handler that throws) to the listener's pipeline and closes the connection.

import Logging
import NIOCore

/// Logs what closes accepted connections before they are served; add it behind the accept handler.
final class ListenerErrorHandler: ChannelInboundHandler {
  typealias InboundIn = Any

  /// The shortest time between two lines; clients that reset their connections cause errors, too.
  static let interval = TimeAmount.seconds(10)

  private let logger: Logger
  private var next = NIODeadline.distantPast
  /// Errors since the last line.
  private var unreported = 0

  init(_ logger: Logger) { self.logger = logger }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    unreported += 1
    let now = context.eventLoop.now
    guard now >= next else { return }
    next = now + ListenerErrorHandler.interval
    let count = unreported == 1 ? "A connection was" : "\(unreported) connections were"
    logger.error("\(count) closed during setup: \(error)")
    unreported = 0
  }
}
