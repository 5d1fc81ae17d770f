import MarketModel

/// One action of a user, the network or chance on a simulated world.
enum SimulationAction: Sendable, Equatable, CustomStringConvertible {
  enum WireFault: String, Sendable, Equatable, CaseIterable {
    case cut, half, refusing, unknown, black, slow
  }

  /// Faults of a venue, as ``FaultSpec`` reads them.
  case venue(Venue, String)
  /// A network fault for a time.
  case wire(Venue, WireFault, milliseconds: Int64)
  case open(page: Int, String)
  case close(page: Int, String)
  /// A page's socket is lost, and reconnects after a time.
  case leave(page: Int, milliseconds: Int64)
  /// A page reads nothing for a time.
  case stall(page: Int, milliseconds: Int64)
  case frames(page: Int, milliseconds: Int64)
  case retry(page: Int, Venue)
  case order(page: Int, SimulatedOrder)
  /// The order service ends and restarts.
  case crash
  case diskFull(milliseconds: Int64)
  /// A commit takes this long from now on.
  case diskSlow(milliseconds: Int64)
  /// The server's wall clock is this wrong from now on.
  case clock(offMilliseconds: Int64)
  case sleep(milliseconds: Int64)

  var description: String {
    switch self {
    case .venue(let venue, let faults): "\(venue): \(faults)"
    case .wire(let venue, let fault, let time): "the way to \(venue): \(fault) for \(time) ms"
    case .open(let page, let topic): "page \(page) opens \(topic)"
    case .close(let page, let topic): "page \(page) closes \(topic)"
    case .leave(let page, let time): "page \(page) is gone for \(time) ms"
    case .stall(let page, let time): "page \(page) reads nothing for \(time) ms"
    case .frames(let page, let time): "page \(page) asks for frames of \(time) ms"
    case .retry(let page, let venue): "page \(page) presses Retry for \(venue)"
    case .order(let page, let order): "page \(page): \(order)"
    case .crash: "the order service crashes"
    case .diskFull(let time): "the disk is full for \(time) ms"
    case .diskSlow(let time): "a commit takes \(time) ms"
    case .clock(let time): "the server's clock is \(time) ms off"
    case .sleep(let time): "the machine sleeps for \(time) ms"
    }
  }
}

enum SimulatedOrder: Sendable, Equatable, CustomStringConvertible {
  /// A new order, as a ticket's fields.
  case place(type: String, side: String, quantity: String, price: String?, life: String?)
  /// The latest order of the page again, under the same name.
  case again
  case cancel(Int64)
  /// Another quantity or price for the order with this number.
  case amend(Int64, quantity: String?, price: String?)
  case cancelAll(Int64)

  var description: String {
    switch self {
    case .place(let type, let side, let quantity, let price, let life):
      "\(side) \(quantity), \(type) \(price ?? "") \(life ?? "")"
    case .again: "the latest order again"
    case .cancel(let number): "cancel \(number)"
    case .amend(let number, let quantity, let price):
      "amend \(number): \(quantity ?? "as many") at \(price ?? "the same price")"
    case .cancelAll(let number): "cancel all up to \(number)"
    }
  }
}

struct PlannedAction: Sendable, Equatable {
  /// Since the start, in milliseconds.
  let milliseconds: Int64
  let action: SimulationAction
}
