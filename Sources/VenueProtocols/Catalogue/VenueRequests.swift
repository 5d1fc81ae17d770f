// What a venue needs that is asked over HTTP, too: products, a token, a feed below the address.

public import MarketModel

/// How a venue is asked over HTTP.
public struct VenueRequests: Sendable {
  /// Where the feed lies below the venue's address: "/subscriptions/me".
  public let feedPath: String
  /// The host of the feed at the venue's public address, which is another one than that of the
  /// requests.
  public let publicFeedHost: String
  /// What a venue that is not the real one is sent where nobody gave a token; no secret.
  public let standInToken: AccessToken?
  /// The most bytes of an answer.
  public let maximumBytes: Int
  /// The headers of every request and of the feed's upgrade.
  ///
  /// They hold the token: never log their values.
  public let headers: @Sendable (AccessToken?) -> [(name: String, value: String)]
  /// Where a product lies below the venue's address, percent-encoded.
  public let productPath: @Sendable (Symbol) -> String
  /// Reads an answer: its status, its body and the product that was asked for.
  public let readProduct:
    @Sendable (_ status: Int, _ body: Span<UInt8>, _ identifier: Symbol) -> Result<
      Product, ProductFailure
    >
}
