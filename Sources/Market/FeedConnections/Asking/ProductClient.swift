public import MarketModel
public import NIOCore
import SocketTransport
import VenueCatalogue
import VenueProtocols

/// Loads products, one request each.
public struct ProductClient: Sendable {
  private let venue: Venue
  private let venues: any VenueAsking
  private let requests: VenueRequests
  private let loop: any EventLoop

  /// Creates a client on the loop of `venues`; nil if the venue has no products or is not among
  /// them.
  public init?(of venue: Venue, asking venues: any VenueAsking, on loop: any EventLoop) {
    guard let requests = venue.adapter.requests, venues.venues.contains(venue) else {
      return nil
    }
    (self.venue, self.venues, self.requests, self.loop) = (venue, venues, requests, loop)
  }

  /// Loads a product by its identifier at the venue.
  ///
  /// A failure has the venue's code, "NETWORK" without a response or "BAD_ANSWER" for an invalid
  /// one.
  public func product(_ identifier: Symbol) async -> Result<Product, ProductFailure> {
    do {
      let answer = try await venues.answer(of: venue, to: .product(identifier), on: loop)
      return requests.readProduct(answer.status, answer.body.readableBytesUInt8Span, identifier)
    } catch {
      return .failure(failure(error))
    }
  }

  private func failure(_ error: any Error) -> ProductFailure {
    let problem =
      error as? ConnectionProblem
      ?? .transport(.badResponse(venue.displayName, detail: String(describing: error)))
    let words = problem.userMessage(venue: venue.displayName)
    switch problem {
    case .transport(.badResponse), .transport(.responseTooLarge):
      return ProductFailure(code: "BAD_ANSWER", userMessage: words, canRetry: true)
    case .transport(.wrongScheme), .transport(.invalidHeader):
      return ProductFailure(code: "NETWORK", userMessage: words, canRetry: false)
    default: return ProductFailure(code: "NETWORK", userMessage: words, canRetry: true)
    }
  }
}
