import FeedConnections
import Foundation
import MarketModel
import PhoneAppFixtures
import PhoneStoresFixtures
import Testing

@testable import PhoneApp
@testable import PhoneStores
@_spi(Host) import SwiftUI

@MainActor @Suite struct MarketChoiceTests {
  private let folder = LedgerFolder()

  @Test func `an own server is entered at the first launch, and a wrong address is explained`()
    throws
  {
    let app = try LaunchedApp(.tracker, folder: folder)
    try app.host.tap("My own server")
    #expect(app.host.navigationTitle == "Market data")
    try app.host.type("server", into: "Server address")
    try app.host.tap("Use these markets")
    #expect(app.preferences.markets == nil)
    #expect(app.shows("server"))
    try app.host.type("tcp://10.0.0.2:1", into: "Price Tracker Echo address")
    try app.host.tap("Use these markets")
    #expect(app.shows("ws://"), "the schemes that the venue understands")
    #expect(app.preferences.markets == nil)
  }

  @Test func `Settings change the markets, and orders of another source are separate`() async throws
  {
    let preferences = MemoryPreferences()
    // No address of the exchange: nothing to connect to.
    preferences.markets = MarketChoice(.venues)
    let app = try LaunchedApp(.exchange, folder: folder, preferences: preferences)
    try await app.wait(for: "the hint") {
      app.shows("Enter it in Settings, or choose the built-in market there.")
    }
    try app.host.tap("Settings")
    try app.host.tap("Market data")
    try app.host.choose("Built-in market", in: "Prices from")
    #expect(!app.shows("Addresses, where they differ"))
    try app.host.tap("Use these markets")
    try await app.wait(for: "best prices") { app.shows("Best buy") && app.shows("Quantity 1") }
    #expect(preferences.markets == MarketChoice(.builtIn))
    for source in ["venues", "built-in"] {
      // The ledger is opened on a thread that no screen waits for.
      try await app.wait(for: "the orders of \(source)") {
        FileManager.default.fileExists(atPath: "\(folder.path)/\(source)/orders.sqlite")
      }
    }
    #expect(app.host.complaints.isEmpty)
  }

  @Test func `a choice survives the app, and launch arguments are one`() {
    var stored: [String: String] = [:]
    #expect(MarketChoice { stored[$0] } == nil)
    var choice = MarketChoice(.venues, server: "http://10.0.0.2:8090")
    choice[.exchange] = "tcp://10.0.0.3:9000"
    choice.store { stored[$0] = $1 }
    let read = MarketChoice { stored[$0] }
    #expect(read?.source == .venues && read?.server == "http://10.0.0.2:8090")
    #expect(read?[.exchange] == "tcp://10.0.0.3:9000" && read?[.bux] == "")
    #expect(MarketChoice { $0 == "server" ? "http://10.0.0.2:8090" : nil }?.source == .server)
  }
}
