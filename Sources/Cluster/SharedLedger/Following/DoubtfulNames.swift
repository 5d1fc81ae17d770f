import PaperTrading

/// Client identifiers of orders that were sent without a response and may have been accepted; the
/// oldest are dropped first.
struct DoubtfulNames {
  static let maximum = 4096

  private var names: Set<ClientOrderIdentifier> = []
  private var order: [ClientOrderIdentifier] = []

  func contains(_ name: ClientOrderIdentifier) -> Bool { names.contains(name) }

  mutating func insert(_ name: ClientOrderIdentifier) {
    guard names.insert(name).inserted else { return }
    order.append(name)
    guard order.count > DoubtfulNames.maximum else { return }
    names.remove(order.removeFirst())
  }

  mutating func remove(_ name: ClientOrderIdentifier) {
    guard names.remove(name) != nil else { return }
    order.removeAll { $0 == name }
  }
}
