// The simulated Kraken's listing: as many pairs as the real one, with unambiguous names, at
// consistent prices.

import MarketModel
import OrderMatching
import Testing

@testable import VenueSimulator

struct KrakenDirectoryTests {
  private let pairs = KrakenDirectory.all.pairs

  private func pair(_ symbol: String) throws -> KrakenPair {
    try #require(pairs.first { $0.symbol == symbol })
  }

  @Test func `about as many pairs are listed as at the real venue, those with deep books first`() {
    let tokens = pairs.filter(\.isToken)
    #expect(pairs.count == 1431)
    #expect(KrakenAsset.coins.count == 561 && Set(tokens.map(\.base)).count == 65)
    #expect(Set(pairs.map(\.base)).count > 600)
    #expect(pairs.prefix(8).map(\.symbol) == KrakenPair.deep.map(\.symbol))
    #expect(Set(pairs.map(\.symbol)).count == pairs.count, "no symbol twice")
    let bases = Set(pairs.filter { $0.quote == "USD" }.map(\.base))
    #expect(pairs.allSatisfy { bases.contains($0.base) || $0.base == "USD" })
  }

  @Test func `every pair is found by each of its names, and no name means two pairs`() {
    let directory = KrakenDirectory.all
    var meant: [String: String] = [:]
    for pair in directory.pairs where pair.status.hasMarket {
      for name in pair.names {
        #expect(meant[name] == nil, "\(name): \(meant[name] ?? ""), \(pair.symbol)")
        meant[name] = pair.symbol
        #expect(directory.names[name].map { directory.pairs[$0].symbol } == pair.symbol)
      }
    }
    #expect(meant.count == directory.names.count)
  }

  @Test(arguments: [
    ("BTC/EUR", "XXBTZEUR"), ("ETH/JPY", "XETHZJPY"), ("LTC/USD", "XLTCZUSD"),
    ("XMR/BTC", "XXMRXXBT"), ("ETH/AUD", "ETHAUD"), ("LTC/GBP", "LTCGBP"), ("BTC/GBP", "XXBTZGBP"),
    ("DOGE/EUR", "XDGEUR"), ("ADA/USD", "ADAUSD"), ("EUR/USD", "ZEURZUSD"), ("AUD/USD", "AUDUSD"),
    ("EUR/GBP", "EURGBP"), ("USDT/USD", "USDTUSD"), ("TSLAx/USD", "TSLAxUSD"),
  ])
  func `keys are those of the real venue`(symbol: String, key: String) throws {
    #expect(try pair(symbol).internalKey == key)
  }

  @Test func `precisions are mixed, and every price and size has room in them`() {
    var (prices, quantities) = (Set<UInt8>(), Set<UInt8>())
    for pair in pairs {
      prices.insert(pair.pricePrecision.digits)
      quantities.insert(pair.quantityPrecision.digits)
      #expect((1000...10_000_000).contains(pair.listing.startTicks), "\(pair.symbol)")
      guard case .deep(let profile) = pair.listing.profile else { continue }
      #expect((10...80_000).contains(profile.lotsPerHundred), "\(pair.symbol)")
      let (units, overflow) = (profile.lotsPerHundred * 100_000)
        .multipliedReportingOverflow(by: pair.lotUnits)
      #expect(!overflow && units > 0, "\(pair.symbol)")
    }
    #expect(prices.isSuperset(of: 1...10) && quantities.isSuperset(of: [0, 2, 4, 5, 6, 8]))
  }

  @Test func `a price in something else is the dollars of both, at the start and later`() throws {
    let start = VenueDriver<SimulatedKraken>.start
    for seed in 1...3 as ClosedRange<UInt64> {
      var market = SimulatedMarket(seed: seed, start: start, [])
      func dollars(_ symbol: String, _ microseconds: Int64) throws -> Double {
        let pair = try pair(symbol)
        let index = market.add(pair.listing)
        let value = Double(market.instruments[index].value.thousandths(at: microseconds)) / 1000
        return value / Double(pair.pricePrecision.unitsPerWhole)
      }
      let crosses = pairs.filter { !["USD", "CHF", "CAD", "JPY"].contains($0.quote) }
      for (number, cross) in crosses.enumerated() where number % 7 == Int(seed) {
        for time in [0, 86_400_000_000 * 3 + 77, -5_000_000_000] as [Int64] {
          let ratio = try dollars(cross.base + "/USD", time) / dollars(cross.quote + "/USD", time)
          let shown = try dollars(cross.symbol, time)
          #expect(abs(shown - ratio) < ratio / 200, "seed \(seed), \(cross.symbol) at \(time)")
        }
      }
    }
  }

  @Test func `a wrapped coin costs as much as its coin, and a token as much as its share`() throws {
    #expect(try pair("WBTC/USD").listing.underlying == pair("BTC/USD").listing.underlying)
    #expect(try pair("JITOSOL/EUR").listing.underlying == pair("SOL/USD").listing.underlying)
    let share = try pair("MCDx/USD")
    let stock = try #require(SharedStock.all(startCents: [:]).first { $0.isin == "US5801351017" })
    #expect(share.listing.underlying == stock.listing.underlying)
    let dollars = share.price(share.listing.startTicks).exactly(at: Scale(clamping: 2))
    #expect(dollars?.units == stock.startCents)
  }

  @Test func `some pairs are not simply online, and what has no market is not called`() throws {
    let statuses = Set(pairs.map(\.status))
    #expect(statuses.count == 7)
    #expect(pairs.filter { $0.status != .online }.count == 12)
    let gone = try pair("WAVES/USD")
    let directory = KrakenDirectory.all
    #expect(gone.status == .delisted && directory.symbols["WAVES/USD"] == nil)
    #expect(gone.names.allSatisfy { directory.names[$0] == nil })
    let snapshot = try JSONTree(directory.snapshots.currencies)["data"]?["pairs"]?.elements ?? []
    #expect(snapshot.count == pairs.filter { !$0.isToken }.count)
    #expect(snapshot.first { $0["symbol"]?.text == "WAVES/USD" }?["status"]?.text == "delisted")
    let called = try JSONTree(directory.assetPairs.currencies)
    #expect(called["WAVESUSD"] == nil && called["OMGUSD"]?["status"]?.text == "reduce_only")
  }
}
