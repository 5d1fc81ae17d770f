// Where data comes from follows from where its address came from, not from what a host looks like.

import FeedConnections
import MarketModel
import SocketTransport
import Testing

@testable import LivetapeServer
import VenueProtocols

@Suite struct VenueOriginTests {
  private func origin(of address: String?, venue: VenueName = .kraken) throws -> DataOrigin? {
    let symbol = try #require(Symbol("BTC/USD"))
    let endpoint = try address.map { try Endpoint($0) }
    return try VenueCatalogue.connection(to: venue, at: endpoint, token: nil, symbol: symbol)?
      .session.origin
  }

  @Test(arguments: [
    "ws://127.0.0.1:9/kraken", "ws://localhost:9", "ws://127.evil.com:9", "ws://192.168.1.7:9",
    "wss://ws.kraken.com.example/v2",
  ])
  func `an address that was given is a custom one, whatever its host looks like`(
    address: String
  ) throws {
    #expect(try origin(of: address) == .custom)
  }

  @Test func `the public address is the venue, given or not`() throws {
    #expect(try origin(of: nil) == .venue)
    #expect(try origin(of: VenueName.kraken.publicAddress) == .venue)
    #expect(try origin(of: nil, venue: .bitmex) == nil, "closed: it has no address any more")
  }

  @Test func `the real BUX is never sent the simulator's token`() throws {
    let symbol = try #require(Symbol("sb26493"))
    let real = try VenueCatalogue.connection(to: .bux, at: nil, token: nil, symbol: symbol)
    #expect(real?.headers.contains { $0.value.contains("simulated") } == false)
    let given = try VenueCatalogue.connection(
      to: .bux, at: try Endpoint("http://10.0.0.7:9/bux"), token: nil, symbol: symbol)
    #expect(given?.headers.contains { $0.value.contains("simulated") } == true)
  }
}
