import MarketModel

extension VenueDescriptor {
  /// BUX: products over HTTP, quotes over a feed on a separate host.
  static let bux = VenueDescriptor(
    displayName: "BUX", publicAddress: "https://api.beta.getbux.com", transport: .requestsAndFeed,
    addressHelp: "its base; /core/23/… and /subscriptions/me lie below it",
    others: ProductCatalogue.choices.map {
      OfferedInstrument($0.identifier, $0.name, .product, in: "")
    },
    hasOnlyLastPrice: { ProductCatalogue.identifier($0.text) == $0 },
    requests: VenueRequests(
      feedPath: BuxRequest.feed(token: nil).path, publicFeedHost: "rtf.beta.getbux.com",
      standInToken: AccessToken("simulated"), maximumBytes: BuxProductResponse.maximumBytes,
      headers: { BuxRequest.feed(token: $0).headers },
      productPath: { BuxRequest.product($0, token: nil).path },
      readProduct: { status, body, identifier in
        guard status == 200 else {
          return .failure(BuxErrorResponse.failure(status: status, body: body))
        }
        do throws(ProductFailure) {
          return .success(try BuxProductResponse.product(from: body, expected: identifier))
        } catch {
          return .failure(error)
        }
      }),
    replay: .oneInstrument, session: { BuxSession(origin: $0.origin) })
}
