import AppState
import MarketModel
import PaperTrading
import VenueCatalogue
import WireJSON

extension PositionsState: PageEncodable {
  var page: PageValue {
    var object = PageObject()
    object.set("loaded", boolean: isLoaded)
    object.set("symbol", text: symbol.text)
    object.set("currency", text: currency)
    object.set("decimals", integer: decimals.digits)
    object.set("quantity", decimal: quantity)
    object.set("cash", text: cash)
    object.set("fees", text: fees)
    if let out { object.set("out") { $0.pair(out.price, out.quantity) } }
    if let exit { object.setObject("exit") { exit.write(to: &$0) } }
    object.set("value", text: value)
    object.set("equity", text: equity)
    object.set(range)
    object.set("note", sentence: note)
    object.setObject("average") { average.write(to: &$0) }
    object.setObject("fifo") { fifo.write(to: &$0) }
    if !markets.isEmpty {
      object.setObject("rows") { object in
        for (symbol, market) in markets.sorted(by: { $0.key < $1.key }) {
          object.set(symbol.text, market.page)
        }
      }
    }
    if !totals.isEmpty {
      object.setObject("totals") { object in
        for (currency, total) in totals.sorted(by: { $0.key < $1.key }) {
          object.setObject(currency) { total.write(to: &$0) }
        }
      }
    }
    object.set("line", arrays: line) { writer, point in
      writer.integer(point.time.milliseconds)
      writer.string(point.equity)
      writer.boolean(point.isFill)
    }
    return object.value
  }
}

extension PositionExitState {
  func write(to object: inout PageObject) {
    object.set("levels", arrays: levels) { writer, level in
      writer.decimalString(level.price)
      writer.decimalString(level.quantity)
    }
    object.set("fee", text: fee)
  }
}

extension PageObject {
  mutating func set(_ range: PositionRangeState?) {
    guard let range else { return }
    setObject("possible") { object in
      object.set("low", decimal: range.low)
      object.set("high", decimal: range.high)
      object.set("lowEquity", text: range.lowEquity)
      object.set("highEquity", text: range.highEquity)
    }
  }
}

extension CurrencyTotalState {
  fileprivate func write(to object: inout PageObject) {
    object.set("decimals", integer: decimals.digits)
    object.set("cash", text: cash)
    object.set("value", text: value)
    object.set("equity", text: equity)
    object.set("lowEquity", text: lowEquity)
    object.set("highEquity", text: highEquity)
  }
}

extension PositionCostState {
  func write(to object: inout PageObject) {
    object.set("cost", decimal: cost)
    object.set("realised", text: realised)
    object.set("unrealised", text: unrealised)
    object.set("middle", text: middle)
  }
}

extension ConversionState: PageEncodable {
  var page: PageValue {
    var object = PageObject()
    object.set("currency", text: currency)
    object.set("decimals", integer: decimals.digits)
    if let total {
      object.setObject("total") { object in
        object.set("equity", text: total.equity)
        object.set("lowEquity", text: total.lowEquity)
        object.set("highEquity", text: total.highEquity)
        object.set("fees", text: total.fees)
        object.setObject("average") { total.average.write(to: &$0) }
        object.setObject("fifo") { total.fifo.write(to: &$0) }
      }
    }
    object.set("currencies", objects: parts) { entry, part in
      entry.set("currency", text: part.currency)
      entry.set("standing", text: part.standing.rawValue)
      entry.set("equity", text: part.equity)
      entry.set("legs", objects: part.legs) { entry, leg in
        entry.set("from", text: leg.step.from)
        entry.set("to", text: leg.step.to)
        entry.set("symbol", text: leg.step.market.orderSymbol?.text)
        entry.set("price", decimal: leg.price)
        entry.set("freshness", freshness: leg.freshness)
      }
    }
    return object.value
  }
}

extension ConvertedTotal.Cost {
  fileprivate func write(to object: inout PageObject) {
    object.set("realised", text: realised)
    object.set("unrealised", text: unrealised)
  }
}
