// Which certificate each simulated venue shows, and the sockets that break when that changes for
// the worse.

import MarketModel
import NIOCore
import SocketTransport
import VenueSimulator

/// The TLS of the venues' sockets; everything happens on their loop.
final class VenueTLS: Sendable {
  private struct State {
    /// Certificates that are not the right ones.
    var wrong: [Venue: FaultOrder.BadCertificate] = [:]
    var sockets: [Venue: [ObjectIdentifier: any NIOCore.Channel]] = [:]
  }

  private let certificates: VenueCertificates
  private let box: NIOLoopBoundBox<State>

  init(_ certificates: VenueCertificates, loop: any EventLoop) {
    self.certificates = certificates
    box = NIOLoopBoundBox.makeBoxSendingValue(State(), eventLoop: loop)
  }

  /// Secures an accepted socket of a venue with what the venue shows now.
  func secure(_ channel: any NIOCore.Channel, of venue: Venue) throws {
    try certificates.server(box.value.wrong[venue]).secure(channel)
    let socket = ObjectIdentifier(channel)
    box.value.sockets[venue, default: [:]][socket] = channel
    channel.closeFuture.whenComplete { _ in self.box.value.sockets[venue]?[socket] = nil }
  }

  /// Shows these certificates from now on.
  ///
  /// A venue whose certificate gets worse ends its connections as a broken end of TLS does.
  func show(_ wrong: [Venue: FaultOrder.BadCertificate]) {
    let before = box.value.wrong
    box.value.wrong = wrong
    for (venue, certificate) in wrong where before[venue] != certificate {
      for channel in (box.value.sockets[venue] ?? [:]).values { ServerTLS.spoil(channel) }
    }
  }
}
