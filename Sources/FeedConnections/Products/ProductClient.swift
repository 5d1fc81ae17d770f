// Loads products over HTTP. Request and reading of the response are the venue's affair and handed
// in; what can go wrong on the way is told in words here.

public import MarketModel
public import NIOCore
public import SocketTransport

/// Loads products, one request each.
public struct ProductClient: Sendable {
  /// What to ask for a product.
  public struct Request: Sendable {
    /// Below the base address, percent-encoded: "/core/23/products/sb26493".
    public let path: String
    /// The headers; they may hold a token and are never logged.
    public let headers: HeaderFields

    /// Makes a request.
    public init(path: String, headers: HeaderFields) {
      self.path = path
      self.headers = headers
    }
  }

  /// Reads the response: the status, the body and the product that was asked for.
  public typealias Reader =
    @Sendable (_ status: Int, _ body: Span<UInt8>, _ identifier: Symbol) -> Result<
      Product, ProductFailure
    >

  private let base: Endpoint
  private let displayName: String
  private let group: any EventLoopGroup
  private let options: ClientOptions
  private let maximumBodyBytes: Int
  private let request: @Sendable (Symbol) -> Request
  private let read: Reader

  /// Makes a client.
  ///
  /// - Parameters:
  ///   - base: the venue's address; ws and wss are taken as http and https.
  ///   - displayName: the venue's name for people.
  ///   - group: carries the requests.
  ///   - options: TLS and the deadline for a whole request.
  ///   - maximumBodyBytes: of a response; 1 MiB by default.
  ///   - request: what to ask for a product; called anew for each, so a token may change.
  ///   - read: reads the response, whatever its status.
  public init(
    base: Endpoint, displayName: String, group: any EventLoopGroup,
    options: ClientOptions = ClientOptions(), maximumBodyBytes: Int = 1 << 20,
    request: @escaping @Sendable (Symbol) -> Request, read: @escaping Reader
  ) {
    self.base = base.asHTTP
    self.displayName = displayName
    self.group = group
    self.options = options
    self.maximumBodyBytes = maximumBodyBytes
    self.request = request
    self.read = read
  }

  /// Loads a product.
  ///
  /// - Parameter identifier: the product's identifier at the venue.
  /// - Returns: the product, or what went wrong: the venue's own code, "NETWORK" when there was no
  ///   answer, "BAD_ANSWER" when it made no sense.
  public func product(_ identifier: Symbol) async -> Result<Product, ProductFailure> {
    let request = request(identifier)
    do {
      let response = try await HTTPClient.get(
        base.appending(request.path), headers: request.headers, options: options,
        maximumBodyBytes: maximumBodyBytes, group: group)
      return read(response.status, response.body.readableBytesUInt8Span, identifier)
    } catch {
      return .failure(failure(error))
    }
  }

  private func failure(_ error: any Error) -> ProductFailure {
    let host = base.host
    let known =
      error as? TransportError ?? .badResponse(host, detail: String(describing: error))
    let words = ConnectionProblem.transport(known).userMessage(venue: displayName)
    switch known {
    case .badResponse, .responseTooLarge:
      return ProductFailure(code: "BAD_ANSWER", userMessage: words, canRetry: true)
    case .wrongScheme, .invalidHeader:
      return ProductFailure(code: "NETWORK", userMessage: words, canRetry: false)
    default:
      return ProductFailure(code: "NETWORK", userMessage: words, canRetry: true)
    }
  }
}
