// Products over HTTP: what is asked, what comes back, and what people are told when nothing does.

import MarketModel
import NIOCore
import NIOHTTP1
import NIOPosix
import SocketTransport
import TestSupport
import Testing

@testable import FeedConnections

@Suite(.timeLimit(.minutes(5))) struct ProductClientTests {
  private func client(
    _ base: Endpoint, deadlineMilliseconds: Int64 = 100_000, maximumBodyBytes: Int = 1 << 20
  ) -> ProductClient {
    ProductClient(
      base: base, displayName: "BUX", group: MultiThreadedEventLoopGroup.singleton,
      options: ClientOptions(deadlineMilliseconds: deadlineMilliseconds),
      maximumBodyBytes: maximumBodyBytes,
      request: { identifier in
        ProductClient.Request(
          path: "/products/\(identifier)", headers: [("Authorization", "Bearer t")])
      },
      read: { status, body, identifier in
        var bytes: [UInt8] = []
        for index in body.indices { bytes.append(body[index]) }
        let text = String(decoding: bytes, as: UTF8.self)
        guard status == 200, let price = FixedDecimal(text) else {
          return .failure(ProductFailure(code: text, userMessage: "\(status)", canRetry: false))
        }
        return .success(
          Product(
            identifier: identifier, symbol: "S", displayName: "D", currency: "EUR",
            decimals: price.scale, currentPrice: price, closingPrice: nil, isMarketOpen: nil))
      })
  }

  private func load(_ client: ProductClient) async throws -> Result<Product, ProductFailure> {
    await client.product(try #require(Symbol("sb26493")))
  }

  @Test func `a product is asked for below the venue's address and read`() async throws {
    let script = ServerScript(refusal: { _ in (.ok, [:], "12352.8") })
    let server = try await TestServer.webSocket(script)
    let base = Endpoint(scheme: .ws, host: "127.0.0.1", port: server.port, target: "/bux")
    let product = try await load(client(base)).get()
    #expect(product.currentPrice.description == "12352.8")
    #expect(product.identifier.text == "sb26493")
    try await server.stop()
  }

  @Test func `an answer with an error goes to the reader with its status`() async throws {
    let script = ServerScript(refusal: { head in
      let isRight =
        head.uri == "/bux/products/sb26493" && head.headers["authorization"] == ["Bearer t"]
      return (.unauthorized, [:], isRight ? "AUTH_008" : "wrong request")
    })
    let server = try await TestServer.webSocket(script)
    let base = Endpoint(scheme: .http, host: "127.0.0.1", port: server.port, target: "/bux/?x")
    let expected = ProductFailure(code: "AUTH_008", userMessage: "401", canRetry: false)
    #expect(try await load(client(base)) == .failure(expected))
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
            code: "NETWORK", userMessage: "BUX did not answer in time.", canRetry: true)))
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
    let script = ServerScript(refusal: { _ in (.ok, [:], String(repeating: "1", count: 1000)) })
    let server = try await TestServer.webSocket(script)
    let result = try await load(client(server.endpoint(.http), maximumBodyBytes: 999))
    guard case .failure(let failure) = result else {
      Issue.record("a product")
      return
    }
    #expect(failure.code == "BAD_ANSWER")
    try await server.stop()
  }
}
