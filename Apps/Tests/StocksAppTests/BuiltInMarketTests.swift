import FeedConnections
import Foundation
import MarketModel
import NIOCore
import NIOEmbedded
import NIOPosix
import StocksAppFixtures
import Testing

@_spi(Host) import LinuxUIKit
@testable import StocksApp

@MainActor @Suite struct BuiltInMarketTests {
  /// A device's stored choice of markets.
  @MainActor private final class Settings {
    var choice: MarketChoice?

    init(_ choice: MarketChoice? = nil) { self.choice = choice }
  }

  private func launch(
    _ settings: Settings, _ loop: NIOAsyncTestingEventLoop
  ) throws -> (StocksApplication, UINavigationController) {
    let application = StocksApplication(
      choice: { settings.choice }, keep: { settings.choice = $0 }, loop: loop,
      clock: HubClock {
        ClockReading(milliseconds: 1_000_000 + Int64(loop.now.uptimeNanoseconds) / 1_000_000)
      }, locale: Locale(identifier: "en_US"))
    let navigation = try #require(application.rootViewController as? UINavigationController)
    navigation.topViewController?.loadViewIfNeeded()
    return (application, navigation)
  }

  private func list(_ navigation: UINavigationController) throws -> UICollectionView {
    let list = try #require(navigation.topViewController?.view.first(UICollectionView.self))
    list.show(rows: 0..<3)
    return list
  }

  @Test func `WL the watchlist is live on the built-in market, where no socket can be opened`()
    async throws
  {
    let (settings, loop) = (Settings(), NIOAsyncTestingEventLoop())
    try #require(ClientBootstrap(validatingGroup: loop) == nil, "this loop could open a socket")
    let (application, navigation) = try launch(settings, loop)
    application.enterForeground()
    let choices = try list(navigation)
    #expect(
      choices.visibleCells.map { $0.texts.first } == [
        "Built-in market", "Real venues", "My own server",
      ])
    choices.select(IndexPath(item: 0, section: 0))
    #expect(settings.choice == MarketChoice(.builtIn))
    let shares = try list(navigation)
    var isLive: Bool {
      shares.visibleCells.allSatisfy {
        $0.texts.contains("Live · simulated") && $0.texts.last?.first == "€"
      }
    }
    for _ in 0..<600 where !isLive {
      await loop.advanceTime(by: .milliseconds(100))
      for _ in 0..<5 { await Task.yield() }
    }
    #expect(isLive, "\(shares.visibleCells.map(\.texts))")
    navigation.popViewController(animated: false)
    #expect(navigation.topViewController?.title == "Markets", "another choice is one step back")
  }

  @Test func `a chosen market is shown at the next launch`() throws {
    let (_, navigation) = try launch(
      Settings(MarketChoice(.builtIn)), NIOAsyncTestingEventLoop())
    #expect(navigation.topViewController?.title == "Stocks")
  }

  @Test func `a server without an address is not chosen, and the screen shows where to enter one`()
    throws
  {
    let settings = Settings()
    let (_, navigation) = try launch(settings, NIOAsyncTestingEventLoop())
    try list(navigation).select(IndexPath(item: 2, section: 0))
    #expect(navigation.topViewController?.title == "Markets")
    #expect(
      navigation.topViewController?.navigationItem.prompt
        == "Enter an address in the Settings app.")
    #expect(settings.choice == nil)
  }
}
