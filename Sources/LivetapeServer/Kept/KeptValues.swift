// What the server keeps as one file each.

import AppState
import PriceAlerts

extension MarketLists: KeptValue {
  static let fileName = "lists.json"
  static let things = "lists"
}

extension AlertBook: KeptValue {
  static let fileName = "alerts.json"
  static let things = "alerts"
}
