// What the watch list says about its connection, from a start without network to a recovery.

import VenueProtocols
import FeedConnections
import Foundation
import MarketModel
import StocksAppFixtures
import SocketTransport
import Testing

@_spi(Host) import LinuxUIKit
@testable import StocksApp
import VenueCatalogue

private let apple = "US0378331005"

@MainActor @Suite struct ConnectionTests {
  @Test func `the word's colour can be read in both themes`() throws {
    let list = try TestList()
    list.feeds.connection(.live)
    let color = try #require(list.badge?.textColor)
    func name(_ style: UIUserInterfaceStyle) -> String {
      color.resolvedColor(with: UITraitCollection(userInterfaceStyle: style)).name
    }
    // The SwiftUI app's palette; its own tests check the contrast.
    #expect(name(.light) == "rgb(0.0,0.37,0.14,1.0)")
    #expect(name(.dark) == "rgb(0.3,0.82,0.45,1.0)")
  }

  @Test func `without a network at the start the list shows it at once and offers a retry`() throws
  {
    let list = try TestList()
    #expect(list.badge?.text == "● Disconnected")
    list.feeds.connection(.connecting)
    #expect(list.badge?.text == "○ Connecting…")
    #expect(list.banner == nil)
    #expect(list.screen.navigationItem.rightBarButtonItem == nil)
    list.feeds.connection(
      .backingOff, reason: "Stock Price Stream can't be reached. Check the network.",
      nextAttemptIn: 4200)
    #expect(
      list.banner
        == "Stock Price Stream can't be reached. Check the network. Next try in 5 s.")
    #expect(list.badge?.text == "● Disconnected")
    list.feeds.advance(2000)
    #expect(list.banner?.hasSuffix("Next try in 3 s.") == true)
    list.screen.navigationItem.rightBarButtonItem?.tap()
    #expect(list.feeds.commands == ["retry"])
    #expect(list.rows.first == ["Apple", "Waiting for prices", "–"])
  }

  @Test func `a lost connection marks every price at once, the words follow after two seconds`()
    throws
  {
    let list = try TestList(rows: 0..<2)
    list.feeds.connection(.live)
    try list.feeds.quote(apple, "240.32")
    #expect(list.badge?.text == "● Connected")
    list.feeds.advance(1000)
    list.feeds.connection(.backingOff, reason: "The connection was cut.", nextAttemptIn: 30_000)
    #expect(list.rows.first == ["Apple", "Disconnected · 1 s ago", "€240.32"])
    #expect(try list.priceLabel(apple).textColor.name == "secondaryLabel")
    #expect(list.badge?.text == "● Disconnected")
    #expect(list.banner == nil)
    list.feeds.advance(2000)
    #expect(list.banner == "The connection was cut. Next try in 28 s.")
  }

  @Test func `after the reconnect a price is stale until the venue confirms it`() throws {
    let list = try TestList(rows: 0..<1)
    list.feeds.connection(.live)
    try list.feeds.quote(apple, "240.32")
    list.feeds.advance(1000)
    list.feeds.connection(.backingOff, reason: "The connection was cut.")
    list.feeds.advance(5000)
    #expect(list.banner != nil)
    list.feeds.connection(.live)
    #expect(list.banner == nil)
    #expect(list.screen.navigationItem.rightBarButtonItem == nil)
    #expect(list.rows == [["Apple", "Stale · 6 s ago", "€240.32"]])
    try list.feeds.quote(apple, "240.32")
    #expect(list.rows == [["Apple", "Live", "€240.32"]])
  }

  @Test func `a venue that never responds is shown as unresponsive, with the time`() throws {
    let list = try TestList()
    list.feeds.connection(.connecting)
    list.feeds.advance(5000)
    #expect(list.banner?.hasPrefix("Connecting to Stock Price Stream: no answer for 5 s.") == true)
    #expect(list.screen.navigationItem.rightBarButtonItem == nil, "an attempt is under way")
  }

  @Test func `a connected stream without data is shown as such and can be reconnected`() throws {
    let list = try TestList(rows: 0..<2)
    list.feeds.connection(.live)
    list.feeds.advance(7000)
    #expect(list.banner == nil)
    list.feeds.advance(2000)
    #expect(list.banner?.contains("nothing has come for this screen in 9 s.") == true)
    #expect(list.screen.navigationItem.rightBarButtonItem?.title == "Reconnect")
    list.screen.navigationItem.rightBarButtonItem?.tap()
    #expect(list.feeds.commands == ["stop", "start"])
    try list.feeds.quote(apple, "240.32")
    list.feeds.advance(1000)
    #expect(list.banner == nil)
  }

  @Test func `a list without an address shows that it has none`() throws {
    let list = try TestList()
    list.feeds.advance(3000)
    #expect(list.banner?.hasPrefix("Stock Price Stream has no address in this app") == true)
    #expect(list.screen.navigationItem.rightBarButtonItem == nil)
  }

  @Test func `a row that appears during an outage shows its last price as disconnected`() throws {
    let list = try TestList(rows: 1..<2)
    list.feeds.connection(.live)
    list.feeds.advance(1000)
    list.feeds.connection(.backingOff, reason: "The connection was cut.")
    list.list.show(rows: 0..<1)
    try list.feeds.quote(apple, "240.32", .live)
    #expect(list.rows == [["Apple", "Disconnected · just now", "€240.32"]])
  }

  @Test func `a screen reader reads the badge's word`() throws {
    let list = try TestList()
    list.feeds.connection(.live)
    #expect(list.badge?.accessibilityLabel == "Connection")
    #expect(list.badge?.accessibilityValue == "Connected")
  }

  @Test func `the connection is there while the app is seen, and only then`() throws {
    let list = try TestList()
    #expect(list.feeds.commands.isEmpty)
    list.application.enterForeground()
    list.application.enterBackground()
    list.application.enterForeground()
    list.application.changeNetwork()
    list.application.enterBackground()
    list.application.changeNetwork()
    #expect(list.feeds.commands == ["resume", "stop", "resume", "resume", "stop"])
  }

  @Test(arguments: [
    ("", "", "ws://159.89.15.214:8080/", DataOrigin.venue),
    ("http://127.0.0.1:8090", "", "ws://127.0.0.1:8090/isin", .simulated),
    ("https://prices.example", "", "wss://prices.example/isin", .simulated),
    ("http://10.0.0.2:8090/", "ws://10.0.0.3/", "ws://10.0.0.3/", .custom),
    ("", "ws://10.0.0.3:81/", "ws://10.0.0.3:81/", .custom),
  ])
  func `the address is the entered one, a server's simulated stream, or the real one`(
    server: String, stream: String, address: String, origin: DataOrigin
  ) throws {
    var choice = MarketChoice(server.isEmpty ? .venues : .server, server: server)
    choice[.isin] = stream
    let connection = try #require(try choice.address(of: .isin)).connection()
    #expect(connection.endpoint.description == address)
    #expect(connection.session.origin == origin)
  }

  @Test(arguments: ["nonsense", "tcp://127.0.0.1:1", ""])
  func `an invalid server has no address`(server: String) {
    #expect((try? MarketChoice(.server, server: server).address(of: .isin)) == nil)
  }
}
