import AppState
import MarketModel
import WireJSON
import VenueCatalogue

extension ProductChooserState: PageEncodable {
  var page: PageValue {
    var object = PageObject()
    object.set("choices", objects: choices) { entry, choice in
      entry.set("id", text: choice.identifier.text)
      entry.set("name", text: choice.name)
    }
    return object.value
  }
}

extension ProductState: PageEncodable {
  var page: PageValue {
    var object = PageObject()
    object.set("id", text: identifier)
    object.set("phase", text: phase.rawValue)
    if let failure {
      object.setObject("failure") { entry in
        entry.set("code", text: failure.code)
        entry.set("message", sentence: failure.userMessage)
        entry.set("canRetry", boolean: failure.canRetry)
      }
    }
    object.set("freshness", freshness: freshness)
    guard let details else { return object.value }
    object.set("symbol", text: details.symbol)
    object.set("name", text: details.name)
    object.set("currency", text: details.currency)
    object.set("decimals", integer: details.decimals.digits)
    object.set("closing", decimal: details.closing)
    object.set("percent", decimal: details.percent)
    object.set("market", text: details.market?.rawValue)
    object.setQuote(
      price: details.price, direction: details.direction, changes: details.changes)
    return object.value
  }
}
