import AppState
import Foundation
import MarketModel
import PhoneAppFixtures
import PhoneStoresFixtures
import Testing

@testable import PhoneApp
@testable import PhoneStores
@_spi(Host) import SwiftUI

@MainActor @Suite struct RestorationTests {
  private let folder = LedgerFolder()

  @Test func `the last screen and instrument return after the system has ended the app`() throws {
    let first = TestApp()
    first.host.open(try #require(URL(string: "stocks://trades/ETH/USD")))
    try first.host.tap("Tracker")
    try first.host.tap("AAPL")
    let second = TestApp(restoring: first.host.sceneStorage)
    #expect(second.host.navigationTitle == "AAPL")
    try second.host.back()
    try second.host.tap("Market")
    #expect(second.host.navigationTitle == "ETH/USD")
    #expect(second.model.router.market == .trades)
    #expect(second.host.complaints.isEmpty)
  }

  @Test
  func `a link takes precedence over the last screen, and nothing stored is the first screen`()
    throws
  {
    let first = TestApp()
    try first.host.tap("AAPL")
    let second = TestApp(restoring: first.host.sceneStorage)
    second.model.router.open(link: "stocks://symbol/NVDA")
    #expect(second.host.navigationTitle == "NVDA")
    #expect(TestApp().host.navigationTitle == "Price tracker")
    #expect(TestApp(restoring: ["place": "nonsense"]).host.navigationTitle == "Price tracker")
    #expect(!TestApp(restoring: ["place": "nonsense"]).model.router.isLost)
  }

  @Test func `an unfinished order is still in the ticket`() throws {
    let first = TestApp(folder: folder.path)
    try first.host.tap("Exchange")
    try first.host.choose("Sell", in: "Side")
    try first.host.choose("Limit", in: "Kind of order")
    try first.host.type("12", into: "Quantity")
    try first.host.type("101.50", into: "Limit price")
    try first.host.choose("Stop", in: "When")
    try first.host.type("102", into: "Trigger")
    try first.host.choose("Post-only", in: "Time in force")
    try first.host.tap("Only reduce my position")
    let second = TestApp(restoring: first.host.sceneStorage)
    let typed = second.host.all.filter { $0.kind == .field }.map(\.text)
    #expect(typed == ["12", "101.50", "102"])
    #expect(second.host.sceneStorage["ticket"] == first.host.sceneStorage["ticket"])
    let unlike = TestApp(restoring: ["place": "exchange", "ticket": "sell\nmarket\n5\n"])
    #expect(unlike.host.all.filter { $0.kind == .field }.allSatisfy { $0.text.isEmpty })
    #expect(second.host.texts.contains("Review sell order"))
  }
}
