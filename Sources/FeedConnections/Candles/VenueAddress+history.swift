// Where a venue's history lies, given where its stream is.

import MarketModel
public import SocketTransport
import VenueProtocols

extension VenueAddress {
  /// What paths of the venue's history are appended to; nil where the venue has none.
  ///
  /// The real venue has a host of its own for it. Elsewhere it lies beside the stream: below the
  /// stream's address without the stream's own path.
  public var history: Endpoint? {
    guard let history = venue.descriptor.history else { return nil }
    if origin == .venue, let address = history.publicAddress { return try? Endpoint(address) }
    let path = endpoint.target.prefix { $0 != "?" }
    let own = venue.descriptor.simulatedPath
    let base = path.hasSuffix(own) ? path.dropLast(own.count) : path
    return endpoint.asHTTP.withTarget(String(base))
  }
}
