import AppState
import Foundation
import MarketModel
import OrderService
import PaperTrading
import PhoneAppFixtures
import PhoneStoresFixtures

@testable import PhoneApp
@testable import PhoneStores
@_spi(Host) import SwiftUI

/// A scene could not be played: the app did not do what the scene relies on.
struct SceneFailure: Error, CustomStringConvertible {
  let description: String
}

/// The app of one scene, with its simulated feeds.
@MainActor final class Stage {
  /// 2 March 2026, 14:07 UTC: when every scene begins.
  static let start: Int64 = 1_772_460_420_000

  let app: TestApp
  /// The scene's random numbers: the same in every run.
  var chance = SplitMix64(seed: 7)
  private let folder = LedgerFolder()
  private var ticks: UInt64 = 0
  /// The number of Bitcoin's trades so far, and its last price in tenths.
  var traded: UInt64 = 0
  var bitcoin: Int64 = 651_230
  /// The exchange's last price, in cents.
  private var cents: Int64 = 4592

  init(_ device: PreviewDevice, chart: CGSize?) {
    app = TestApp(folder: folder.path, at: Stage.start)
    device.tell(app.host)
    app.host.size = chart ?? CGSize(width: 390, height: 300)
    app.host.render()
  }

  var host: ViewHost { app.host }
  var feeds: TestFeeds { app.feeds }

  func wait(for what: String, until condition: () -> Bool) async throws {
    await host.settle(until: condition)
    guard condition() else {
      throw SceneFailure(description: "waited in vain for \(what); on screen: \(host.texts)")
    }
  }

  func wait(for text: String) async throws {
    try await wait(for: "“\(text)”") { host.texts.contains { $0.contains(text) } }
  }

  /// A number from -`bound` to `bound`.
  func step(_ bound: Int64) -> Int64 { chance.below(2 * bound + 1) - bound }

  /// "45.92" of 4592.
  static func money(_ cents: Int64) -> String {
    FixedDecimal(units: cents, scale: Scale(clamping: 2)).description
  }

  // MARK: The exchange

  /// Opens the exchange with its orders loaded and minutes of prices received.
  func openExchange(ticks count: Int = 150) async throws {
    feeds.connection(.exchange, .live)
    try host.tap("Exchange")
    try await wait(for: "orders") { app.model.trading.orders.isLoaded == true }
    for _ in 0..<count {
      try tick()
      feeds.pass(900)
    }
    try tick()
    try await wait(for: "the ticket") {
      !host.texts.contains("Your orders are being read from disk.")
    }
  }

  /// The next tick: the price moves a little up or down.
  func tick(bidSize: Int64 = 15, askSize: Int64 = 60) throws {
    ticks += 1
    let before = cents
    cents = max(3000, cents + step(9) + (ticks % 40 < 22 ? 2 : -3))
    let (bid, ask) = (Stage.money(cents - 3), Stage.money(cents))
    try feeds.tick(
      ticks, last: Stage.money(cents), bid: (bid, bidSize), ask: (ask, askSize),
      cents > before ? .up : cents < before ? .down : .unchanged)
  }

  /// Places an order and waits until the history has it.
  ///
  /// Its name is the scene's own, so that the ledger's hash is the same in every run.
  func place(
    _ name: String, _ side: Side, _ quantity: String, limit: String? = nil, in market: String = ""
  ) async throws {
    let trading = app.model.trading
    guard let name = ClientOrderIdentifier(name) else {
      throw SceneFailure(description: "\(name) is no name of an order")
    }
    let before = trading.orders.total
    let answer = await trading.response(
      to: .place(
        OrderTicket(
          clientIdentifier: name, instrument: Symbol(market), side: side,
          kind: limit.map { .limit(price: $0) } ?? .market, quantity: quantity)))
    guard case .placed = answer else {
      throw SceneFailure(description: "\(name) was not placed: \(answer)")
    }
    try await wait(for: "order \(name)") { trading.orders.total > before }
  }

  /// Waits until the order service has handled earlier commands: it responds in order.
  func settleOrders() async throws {
    guard let name = ClientOrderIdentifier("barrier") else {
      throw SceneFailure(description: "no name of an order")
    }
    _ = await app.model.trading.response(
      to: .preview(
        OrderTicket(clientIdentifier: name, side: .buy, kind: .market, quantity: "1")))
    for _ in 0..<20 { await Task.yield() }
    host.render()
  }
}
