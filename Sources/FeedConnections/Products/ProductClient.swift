// Products over REST: one request, one answer in words for people.

public import MarketModel
public import NIOCore
public import SocketTransport
public import VenueProtocols

/// Asks BUX for products.
public struct ProductClient: Sendable {
  /// Time for a whole answer, in milliseconds.
  static let deadlineMilliseconds: Int64 = 10_000

  private let endpoint: Endpoint
  private let token: AccessToken?
  private let options: ClientOptions
  private let loop: any EventLoop

  /// Makes a client.
  ///
  /// - Parameters:
  ///   - endpoint: of the venue, with the scheme http or https; requests lie below its path.
  ///   - token: nil when none is configured; BUX then answers that it is missing.
  ///   - tls: whom to trust.
  ///   - loop: where its connections live.
  public init(
    endpoint: Endpoint, token: AccessToken?, tls: TLSSettings = .system, on loop: any EventLoop
  ) {
    self.endpoint = endpoint
    self.token = token
    self.loop = loop
    options = ClientOptions(tls: tls, deadlineMilliseconds: ProductClient.deadlineMilliseconds)
  }

  /// The product, or why there is none, in words for people.
  public func product(_ identifier: Symbol) async -> Result<Product, ProductFailure> {
    let request = BuxRequest.product(identifier, token: token)
    let base = endpoint.target.hasSuffix("/") ? String(endpoint.target.dropLast()) : endpoint.target
    do {
      let answer = try await HTTPClient.get(
        endpoint.withTarget(base + request.path), headers: request.headers, options: options,
        maximumBodyBytes: BuxProductAnswer.maximumBytes, on: loop
      ).get()
      return ProductClient.read(answer, expected: identifier)
    } catch {
      return .failure(ProductClient.failure(error))
    }
  }

  private static func read(
    _ answer: HTTPAnswer, expected: Symbol
  ) -> Result<Product, ProductFailure> {
    let bytes = answer.body.readableBytesUInt8Span
    guard answer.status == 200 else {
      return .failure(BuxErrorAnswer.failure(status: answer.status, body: bytes))
    }
    do throws(ProductFailure) {
      return .success(try BuxProductAnswer.product(from: bytes, expected: expected))
    } catch {
      return .failure(error)
    }
  }

  private static func failure(_ error: any Error) -> ProductFailure {
    let problem = (error as? TransportError).map { ConnectionProblem.transport($0) }
    let words = problem?.userMessage(venue: VenueName.bux.displayName)
    return ProductFailure(
      code: "NETWORK", userMessage: words ?? "BUX can't be reached. Check the network.",
      canRetry: true)
  }
}
