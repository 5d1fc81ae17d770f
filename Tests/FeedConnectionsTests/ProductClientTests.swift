// Products over HTTP: requests, responses, and error texts.

import MarketModel
import NIOCore
import NIOHTTP1
import NIOPosix
import SocketTransport
import TestSupport
import Testing
import VenueCatalogue
import VenueProtocols

@testable import FeedConnections

@Suite(.timeLimit(.minutes(5))) struct ProductClientTests {
  private func client(
    _ base: Endpoint, deadlineMilliseconds: Int64 = 100_000
  ) throws -> ProductClient {
    let loop = MultiThreadedEventLoopGroup.singleton.any()
    let venues = VenueHTTP(
      [try .given(base, for: .bux)], token: { AccessToken("t") },
      deadlineMilliseconds: deadlineMilliseconds, on: loop)
    return try #require(ProductClient(of: .bux, asking: venues, on: loop))
  }

  private func load(_ client: ProductClient) async throws -> Result<Product, ProductFailure> {
    await client.product(try #require(Symbol("sb26493")))
  }

  @Test func `a product is requested below the venue's address and read`() async throws {
    let text =
      #"{"symbol":"S","securityId":"sb26493","quoteCurrency":"EUR","displayName":"D","#
      + #""displayDecimals":1,"currentPrice":{"currency":"EUR","decimals":1,"amount":"12352.8"},"#
      + #""closingPrice":{"currency":"EUR","decimals":1,"amount":"12350"}}"#
    let script = ServerScript(refusal: { _ in (.ok, [:], text) })
    let server = try await TestServer.webSocket(script)
    let base = Endpoint(scheme: .http, host: "127.0.0.1", port: server.port, target: "/bux")
    let product = try await load(client(base)).get()
    #expect(product.currentPrice.description == "12352.8")
    #expect(product.identifier.text == "sb26493")
    try await server.stop()
  }

  @Test func `an answer with an error goes to the reader with its status`() async throws {
    let script = ServerScript(refusal: { head in
      let isRight =
        head.uri == "/bux/core/23/products/sb26493"
        && head.headers["authorization"] == ["Bearer t"]
      let code = isRight ? "AUTH_008" : "wrong request"
      return (.unauthorized, [:], #"{"message":null,"developerMessage":"","errorCode":"\#(code)"}"#)
    })
    let server = try await TestServer.webSocket(script)
    let base = Endpoint(scheme: .http, host: "127.0.0.1", port: server.port, target: "/bux/?x")
    guard case .failure(let failure) = try await load(client(base)) else {
      Issue.record("a product")
      return
    }
    #expect(failure.code == "AUTH_008")
    try await server.stop()
  }

  @Test func `no answer is a failure of the network, in words, and may be tried again`()
    async throws
  {
    let server = try await TestServer.start { _, _ in }
    let endpoint = server.endpoint(.http)
    let late = try await load(client(endpoint, deadlineMilliseconds: 100))
    #expect(
      late
        == .failure(
          ProductFailure(
            code: "NETWORK", userMessage: "BUX did not respond in time.", canRetry: true)))
    try await server.stop()
    let silence = try SilentPort.hold()
    let refused = try await load(client(silence.endpoint(.http)))
    #expect(
      refused
        == .failure(
          ProductFailure(
            code: "NETWORK", userMessage: "BUX is not accepting connections.", canRetry: true)))
    silence.release()
  }

  @Test func `an answer beyond the bound is a bad answer`() async throws {
    let most = try #require(Venue.bux.adapter.requests).maximumBytes
    let script = ServerScript(refusal: { _ in (.ok, [:], String(repeating: "1", count: most + 1)) })
    let server = try await TestServer.webSocket(script)
    let result = try await load(client(server.endpoint(.http)))
    guard case .failure(let failure) = result else {
      Issue.record("a product")
      return
    }
    #expect(failure.code == "BAD_ANSWER")
    try await server.stop()
  }
}
