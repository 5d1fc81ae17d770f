// BUX's products.

import MarketModel
public import NIOCore
public import SocketTransport
public import VenueProtocols

extension ProductClient {
  /// A client for BUX.
  ///
  /// - Parameters:
  ///   - base: the venue's address; requests lie below its path.
  ///   - token: nil when none is configured; BUX then answers that it is missing.
  ///   - group: carries the requests.
  /// - Returns: the client; nothing is asked yet.
  public static func bux(
    base: Endpoint, token: AccessToken?, group: any EventLoopGroup
  ) -> ProductClient {
    bux(base: base, token: { token }, group: group)
  }

  /// A client for BUX whose token may change while it is used.
  ///
  /// - Parameters:
  ///   - base: the venue's address; requests lie below its path.
  ///   - token: asked for each request; nil when none is configured at that moment.
  ///   - group: carries the requests.
  /// - Returns: the client; nothing is asked yet.
  public static func bux(
    base: Endpoint, token: @escaping @Sendable () -> AccessToken?, group: any EventLoopGroup
  ) -> ProductClient {
    ProductClient(
      base: base, displayName: VenueName.bux.displayName, group: group,
      maximumBodyBytes: BuxProductResponse.maximumBytes,
      request: { identifier in
        let request = BuxRequest.product(identifier, token: token())
        return Request(path: request.path, headers: request.headers)
      },
      read: { status, body, identifier in
        guard status == 200 else {
          return .failure(BuxErrorResponse.failure(status: status, body: body))
        }
        do throws(ProductFailure) {
          return .success(try BuxProductResponse.product(from: body, expected: identifier))
        } catch {
          return .failure(error)
        }
      })
  }
}
