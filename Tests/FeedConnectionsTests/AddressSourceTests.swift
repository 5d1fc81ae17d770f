// What counts as a venue's public address, on the server and on the phone.

import MarketModel
import SocketTransport
import Testing

@testable import FeedConnections

@Suite struct AddressSourceTests {
  @Test(arguments: [
    "wss://ws.kraken.com/v2", "wss://ws.kraken.com:443/v2", "wss://WS.Kraken.com/v2",
    "wss://ws.kraken.com/v2/", "https://ws.kraken.com/v2",
  ])
  func `every spelling of the public address is the venue`(address: String) throws {
    #expect(AddressSource.of(try Endpoint(address), for: .kraken) == .published)
  }

  @Test(arguments: [
    "ws://ws.kraken.com/v2", "ws://ws.kraken.com:443/v2", "wss://ws.kraken.com:8443/v2",
    "wss://ws.kraken.com/", "wss://ws.kraken.com/v2?x", "wss://ws.kraken.com.example/v2",
    "tcp://ws.kraken.com:443",
  ])
  func `everything else is an address that was given`(address: String) throws {
    #expect(AddressSource.of(try Endpoint(address), for: .kraken) == .given)
  }

  @Test func `an address without a path has none with a slash either`() throws {
    for address in ["https://api.beta.getbux.com/", "wss://api.beta.getbux.com"] {
      #expect(AddressSource.of(try Endpoint(address), for: .bux) == .published)
    }
  }

  @Test func `a venue without a public address has given ones only`() throws {
    #expect(AddressSource.of(try Endpoint("wss://ws.bitmex.com/realtime"), for: .bitmex) == .given)
  }
}
