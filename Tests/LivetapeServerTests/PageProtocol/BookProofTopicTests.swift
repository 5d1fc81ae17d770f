// LT2 on the wire: whatever is left out between two frames, rows and proof are of one moment.

import AppState
import Foundation
import MarketModel
import MarketStreams
import Testing
import VenueCatalogue

@testable import LivetapeServer
import WireJSON

@Suite struct BookProofTopicTests {
  private static let pair = Symbol("BTC/USD")

  private func view(_ seed: UInt64, grouping: PriceGrouping = .none) throws -> BookView {
    var random = SplitMix64(seed: seed)
    let middle = 600_000 + Int64(random.next() % 3)
    func side(_ direction: Int64) -> [BookRow] {
      (0..<20).map { place in
        let size = Quantity(units: Int64(random.next() % 3) + 1)
        return BookRow(
          price: Price(units: middle + direction * Int64(1 + place)), size: size, accumulated: size)
      }
    }
    let (bids, asks) = (side(-1), side(1))
    var checksum = BookChecksum()
    let proof = BookProof(
      checksum: checksum.value(bids: bids, asks: asks),
      at: ClockReading(milliseconds: Int64(seed)))
    return BookView(
      symbol: try #require(Self.pair), status: .synced, freshness: .waiting(.simulated),
      bids: bids, asks: asks, bidLevels: 20, askLevels: 20, priceScale: Scale(clamping: 1),
      quantityScale: Scale(clamping: 8), priceDecimals: Scale(clamping: 1), sequence: seed,
      resyncs: 0, grouping: grouping, proof: grouping.isNone ? proof : nil)
  }

  private func state(_ view: BookView) throws -> PageValue {
    let pair = try #require(Self.pair)
    var screen = BookScreen(symbol: pair, grouping: view.grouping)
    let key = MarketKey(.kraken, Subscription(.book, pair, grouping: view.grouping))
    _ = screen.receive(.value(key, .book(view)), at: ClockReading(milliseconds: 1))
    return screen.state.page
  }

  private func object(_ value: PageValue) throws -> [String: Any] {
    var writer = JSONWriter()
    value.write(to: &writer)
    let json = try JSONSerialization.jsonObject(with: Data(writer.bytes))
    return try #require(json as? [String: Any])
  }

  private func merge(_ target: Any?, _ patch: Any) -> Any {
    guard let patch = patch as? [String: Any] else { return patch }
    var result = target as? [String: Any] ?? [:]
    for (key, value) in patch {
      result[key] = value is NSNull ? nil : merge(result[key], value)
    }
    return result
  }

  /// The page's result of a state: its rows as one text.
  private func findings(_ state: [String: Any]) throws -> BookFindings? {
    let parts = ["bids", "asks", "spread", "basisPoints", "bidShare", "group"]
    let data = try JSONSerialization.data(withJSONObject: parts.map { state[$0] ?? NSNull() })
    var reader = BookRowsReader()
    return reader.findings(
      in: Array(data).span, price: Scale(clamping: 1), size: Scale(clamping: 8))
  }

  @Test func `patches bring rows together with their proof, whatever is left out`() throws {
    var random = SplitMix64(seed: 13)
    var before = try state(view(1))
    var merged: Any = try object(before)
    var at: UInt64 = 1
    for step in 0..<300 {
      at += 1 + random.next() % 4
      let after = try state(view(at))
      var writer = JSONWriter()
      guard MergePatch.write(from: before, to: after, into: &writer) else { continue }
      let patch = try JSONSerialization.jsonObject(with: Data(writer.bytes))
      merged = merge(merged, patch)
      before = after
      let page = try #require(merged as? [String: Any])
      let proof = try #require(page["proof"] as? [String: Any])
      let checksum = try #require(proof["checksum"] as? [String: Any])
      let halves = try #require(proof["hash"] as? [UInt64])
      let found = try #require(try findings(page), "step \(step)")
      #expect(found.hash == halves[0] << 32 | halves[1], "step \(step)")
      #expect(found.checksum == checksum["value"] as? UInt32, "step \(step)")
      #expect(checksum["at"] as? UInt64 == at)
    }
  }

  @Test func `grouped rows have the server's hash alone`() throws {
    let grouping = try #require(PriceGrouping(ticks: 5))
    let page = try object(try state(view(3, grouping: grouping)))
    let proof = try #require(page["proof"] as? [String: Any])
    #expect(proof["checksum"] == nil && proof["hash"] != nil)
  }
}
