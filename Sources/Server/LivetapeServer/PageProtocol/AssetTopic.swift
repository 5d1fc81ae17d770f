import AppState
import MarketModel
import VenueCatalogue
import WireJSON

extension AssetScreen {
  /// The screen of "BTC/USD", or of "BTC/USD?step=10" for rows of 10; nil for anything else.
  init?(topic name: String, origin: DataOrigin, closed: Set<Venue>) {
    let parts = name.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let currencies = parts[0].split(separator: "/", omittingEmptySubsequences: false)
    guard currencies.count == 2,
      let asset = Asset(base: String(currencies[0]), quote: String(currencies[1]))
    else { return nil }
    guard parts.count > 1 else {
      self.init(asset, origin: origin, closed: closed)
      return
    }
    let prefix = "step="
    guard parts[1].hasPrefix(prefix), parts[1].utf8.count <= 32,
      let step = FixedDecimal(String(parts[1].dropFirst(prefix.count))), step.units > 0
    else { return nil }
    self.init(asset, step: step, origin: origin, closed: closed)
  }
}

extension AssetState: PageEncodable {
  var page: PageValue {
    var object = PageObject()
    object.set("base", text: asset.base)
    object.set("quote", text: asset.quote)
    object.set("markets", objects: markets) { entry, market in
      entry.set("symbol", text: market.instrument.symbol.text)
      entry.set("venue", text: market.instrument.venue.rawValue)
      let address = market.instrument.marketName
      if address != market.instrument.symbol { entry.set("address", text: address.text) }
      entry.set("known", boolean: market.isKnown)
      entry.set("counted", boolean: market.isCounted)
      entry.set("freshness", freshness: market.freshness)
      entry.set("bid", decimal: market.bid?.price)
      entry.set("bidSize", decimal: market.bid?.size)
      entry.set("ask", decimal: market.ask?.price)
      entry.set("askSize", decimal: market.ask?.size)
      entry.set("basisPoints", decimal: market.spreadBasisPoints)
      entry.set("last", decimal: market.figures?.last)
      entry.set("percent", decimal: market.figures?.changePercent)
      entry.set("volume", decimal: market.figures?.volume)
    }
    if let best {
      object.setObject("best") { entry in
        entry.set("bid", decimal: best.bid)
        entry.set("ask", decimal: best.ask)
        entry.set("count", integer: best.markets)
        entry.set("basisPoints", decimal: best.basisPoints)
        // Whole seconds, so that not every message changes the topic.
        entry.set("at", integer: best.confirmedAt.map { $0.wall.milliseconds / 1000 * 1000 })
      }
    }
    object.set("spreads", arrays: spreads) { writer, spread in
      writer.integer(spread.time.milliseconds)
      writer.decimalString(spread.basisPoints)
    }
    object.set("step", decimal: step)
    object.set("steps", array: steps) { $0.decimalString($1) }
    AssetState.set("bidRows", bids, in: &object)
    AssetState.set("askRows", asks, in: &object)
    return object.value
  }

  private static func set(_ key: String, _ levels: [AssetLevel], in object: inout PageObject) {
    object.set(key, objects: levels) { entry, level in
      entry.set("price", decimal: level.price)
      entry.set("size", decimal: level.size)
      entry.set("share", integer: level.thousandths)
      entry.set("parts", arrays: level.parts) { writer, part in
        writer.integer(part.market)
        writer.decimalString(part.size)
        writer.integer(part.thousandths)
      }
    }
  }
}
