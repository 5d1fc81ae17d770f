// The products of a venue that is asked over HTTP.

import MarketModel
public import NIOCore
import SocketTransport
public import VenueProtocols

extension ProductClient {
  /// A client for the products of a venue; nil where the venue has none.
  ///
  /// - Parameters:
  ///   - address: the venue; requests lie below its path.
  ///   - token: asked for each request, so that it may change; nil when none is configured at that
  ///     moment.
  ///   - group: carries the requests.
  public init?(
    of address: VenueAddress, token: @escaping @Sendable () -> AccessToken?,
    group: any EventLoopGroup
  ) {
    guard let requests = address.venue.descriptor.requests else { return nil }
    self.init(
      base: address.endpoint, displayName: address.venue.displayName, group: group,
      options: address.options, maximumBodyBytes: requests.maximumBytes,
      request: { identifier in
        Request(
          path: requests.productPath(identifier), headers: address.headers(token: token()) ?? [])
      },
      read: requests.readProduct)
  }
}
