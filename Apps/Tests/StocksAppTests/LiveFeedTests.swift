// WL1, WL5 with the real hub and protocol: messages on the wire while rows come and go, and how a
// message reaches its cell.

import FeedConnections
import Foundation
import MarketModel
import Testing

@_spi(Host) import LinuxUIKit
@testable import StocksApp

private let apple = "US0378331005"
private let microsoft = "US5949181045"
private let amazon = "US0231351067"

@MainActor @Suite struct LiveFeedTests {
  private struct WaitedInVain: Error { let texts: [[String]] }

  /// Runs the main thread's queue until the rows satisfy a condition.
  private func wait(
    _ list: UICollectionView, until condition: ([[String]]) -> Bool
  ) async throws {
    for _ in 0..<10_000 {
      if condition(list.visibleCells.map(\.texts)) { return }
      await Task.yield()
    }
    throw WaitedInVain(texts: list.visibleCells.map(\.texts))
  }

  @Test func `one connection serves all rows, and subscriptions follow what is in sight`()
    async throws
  {
    let network = FakeNetwork()
    let (hub, clock) = network.makeHub()
    let application = StocksApplication(
      feeds: .live(hub, clock: clock), locale: Locale(identifier: "en_US"))
    let navigation = try #require(application.rootViewController as? UINavigationController)
    let screen = try #require(navigation.topViewController)
    screen.loadViewIfNeeded()
    let list = try #require(screen.view.first(UICollectionView.self))
    list.show(rows: 0..<2)
    application.enterForeground()
    try await network.open()
    await network.advance(1000)
    #expect(
      try await network.sent().sorted() == [
        "{\"subscribe\":\"\(apple)\"}", "{\"subscribe\":\"\(microsoft)\"}",
      ])

    try await network.say(apple, price: "240.32")
    try await wait(list) { $0.first == ["Apple", "Live", "€240.32"] }
    #expect(list.configurations.values.reduce(0, +) == 2)

    list.show(rows: 1..<3)
    await network.advance(1000)
    #expect(
      try await network.sent().dropFirst(2).sorted() == [
        "{\"subscribe\":\"\(amazon)\"}", "{\"unsubscribe\":\"\(apple)\"}",
      ])
    #expect(try await network.connections() == 1)
    await hub.shutdown()
  }
}
