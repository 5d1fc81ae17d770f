import MarketModel

/// The kinds of trouble that a course had, as texts, to sum up the coverage of many courses.
public enum SimulatedTrouble {
  /// All kinds that a script may contain: faults of venues' messages and connections, of the
  /// network, of pages, of the machine, and of orders and their disk.
  public static let all: Set<String> = [
    "drop", "duplicate", "reorder", "truncate", "corrupt", "checksum", "gap", "delay", "stall",
    "half-open", "refuse", "close", "cut", "clock", "flood",
    "way cut", "way half", "way refusing", "way unknown", "way black", "way slow",
    "topic opened", "topic closed", "page gone", "page stalled", "frames", "retry",
    "order placed", "order again", "order cancelled", "order amended", "orders cancelled",
    "crash", "disk full", "disk slow", "server clock", "sleep",
  ]

  static func words(of action: SimulationAction) -> [String] {
    switch action {
    case .venue(_, let faults): venue(faults)
    case .wire(_, let fault, _): ["way \(fault.rawValue)"]
    case .open: ["topic opened"]
    case .close: ["topic closed"]
    case .leave: ["page gone"]
    case .stall: ["page stalled"]
    case .frames: ["frames"]
    case .retry: ["retry"]
    case .order(_, let order): [word(of: order)]
    case .crash: ["crash"]
    case .diskFull: ["disk full"]
    case .diskSlow: ["disk slow"]
    case .clock: ["server clock"]
    case .sleep: ["sleep"]
    }
  }

  private static func word(of order: SimulatedOrder) -> String {
    switch order {
    case .place: "order placed"
    case .again: "order again"
    case .cancel: "order cancelled"
    case .amend: "order amended"
    case .cancelAll: "orders cancelled"
    }
  }

  /// The name of a fault ends before its number or its time.
  private static func venue(_ faults: String) -> [String] {
    [String(faults.prefix { $0 != "=" && $0 != "@" && $0 != " " })]
  }
}
