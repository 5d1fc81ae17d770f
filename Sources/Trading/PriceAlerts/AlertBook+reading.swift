import MarketModel
public import WireJSON

extension AlertBook {
  /// Reads what ``json`` wrote.
  ///
  /// The input is untrusted. Throws if a bound is exceeded, a key is missing, unknown or
  /// duplicated, or the parts are inconsistent.
  public init(decoding bytes: Span<UInt8>) throws(JSONError) {
    guard bytes.count <= AlertBook.maximumBytes else {
      throw JSONError(.tooLong, at: AlertBook.maximumBytes)
    }
    var cursor = JSONCursor()
    self.init()
    var lists: Set<String> = []
    let fields = try AlertFields(bytes, &cursor) {
      (name, cursor: inout JSONCursor) throws(JSONError) -> Bool in
      switch name {
      case "alerts": alerts = try Self.list(bytes, &cursor, Self.maximumAlerts, AlertFields.alert)
      case "watches":
        let read = try Self.list(bytes, &cursor, Self.maximumAlerts, AlertFields.watch)
        watches = Dictionary(read) { first, _ in first }
        guard watches.count == read.count else { throw JSONError(.duplicateKey, at: cursor.offset) }
      case "firings":
        firings = try Self.list(bytes, &cursor, Self.maximumFirings, AlertFields.firing)
      case "blind":
        blindSpans = try Self.list(bytes, &cursor, Self.maximumBlindSpans, AlertFields.blindSpan)
      default: return false
      }
      lists.insert(name)
      return true
    }
    try cursor.finish(bytes)
    try fields.allow(["version", "nextAlert", "nextFiring", "seenUntil"])
    guard lists.count == 4, try fields.number("version") == AlertBook.version else {
      throw JSONError(.wrongType, at: 0)
    }
    nextAlert = try fields.count("nextAlert")
    nextFiring = try fields.count("nextFiring")
    seenUntil = try fields.time("seenUntil")
    deriveSides()
    guard isSound else { throw JSONError(.wrongType, at: 0) }
  }

  private static func list<Element>(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor, _ limit: Int,
    _ read: (AlertFields) -> () throws(JSONError) -> Element
  ) throws(JSONError) -> [Element] {
    try cursor.list(bytes, atMost: limit) { (cursor) throws(JSONError) in
      try read(try AlertFields(bytes, &cursor))()
    }
  }

  private mutating func deriveSides() {
    for index in alerts.indices where alerts[index].isFollowed { setSide(index) }
  }

  private var isSound: Bool {
    let ids = alerts.map(\.id)
    let numbers = firings.map(\.number)
    return Set(watches.keys) == followed
      && zip(ids, ids.dropFirst()).allSatisfy(<) && (ids.last ?? 0) < nextAlert
      && zip(numbers, numbers.dropFirst()).allSatisfy { $0 + 1 == $1 }
      && (numbers.last ?? nextFiring - 1) == nextFiring - 1
      && alerts.allSatisfy { alert in
        alert.isArmed
          || alert.firedAt != nil
            && (!alert.repeats || alert.side == .at || alert.condition.kind != .price)
      }
      && firings.allSatisfy { firing in
        firing.alert < nextAlert && firing.isSound
      }
  }
}

extension AlertFiring {
  fileprivate var isSound: Bool {
    guard case .price(let level) = condition else { return from == nil }
    return from != nil && from != .at && LevelSide(of: value, from: level) != from
  }
}

extension AlertFields {
  /// A condition without a kind is a price.
  private func condition() throws(JSONError) -> AlertCondition {
    let name = try text("kind")
    let kind = name == nil ? .price : name.flatMap { AlertCondition.Kind(rawValue: $0) }
    let level = try text("level") == nil ? nil : decimal("level")
    return try required(
      AlertCondition(
        try required(kind), level: level, seconds: try countIfAny("seconds").map(Int64.init)))
  }

  fileprivate func alert() throws(JSONError) -> PriceAlert {
    try allow([
      "id", "market", "kind", "level", "seconds", "repeats", "cooldown", "armed", "createdAt",
      "firedAt",
    ])
    let repeats = try boolean("repeats")
    let cooldown = Int64(try countIfAny("cooldown") ?? 0)
    guard AlertBook.cooldowns.contains(cooldown), repeats || cooldown == 0 else {
      throw JSONError(.numberOutOfRange, at: start)
    }
    return PriceAlert(
      id: try count("id"), instrument: try instrument("market"), condition: try condition(),
      repeats: repeats, cooldownSeconds: cooldown, createdAt: try required(try time("createdAt")),
      side: nil,
      isArmed: try boolean("armed"), firedAt: try time("firedAt"))
  }

  fileprivate func watch() throws(JSONError) -> (InstrumentKey, AlertWatch) {
    try allow(["market", "price", "time", "identifier", "openSince", "unseenSince"])
    var watch = AlertWatch()
    if texts["price"] != nil {
      watch.mark = AlertWatch.Mark(
        price: try decimal("price"), time: try required(try time("time")),
        identifier: try number("identifier"), arrival: nil)
    } else if numbers["time"] != nil || numbers["identifier"] != nil {
      throw JSONError(.wrongType, at: start)
    }
    (watch.openSince, watch.unseenSince) = (try time("openSince"), try time("unseenSince"))
    guard watch.openSince == nil || watch.unseenSince != nil else {
      throw JSONError(.wrongType, at: start)
    }
    return (try instrument("market"), watch)
  }

  fileprivate func firing() throws(JSONError) -> AlertFiring {
    try allow([
      "number", "alert", "market", "kind", "level", "seconds", "from", "price", "time",
      "identifier", "at", "blindSince",
    ])
    let from = try text("from")
    return AlertFiring(
      number: try count("number"), alert: try count("alert"),
      instrument: try instrument("market"), condition: try condition(),
      from: try from.map { (from) throws(JSONError) in try required(LevelSide(rawValue: from)) },
      value: try decimal("price"), time: try required(try time("time")),
      identifier: try number("identifier"), at: try required(try time("at")),
      blindSince: try time("blindSince"))
  }

  fileprivate func blindSpan() throws(JSONError) -> BlindSpan {
    try allow(["market", "since", "until"])
    let (since, until) = (try required(try time("since")), try required(try time("until")))
    guard since < until else { throw JSONError(.numberOutOfRange, at: start) }
    return BlindSpan(instrument: try instrument("market"), since: since, until: until)
  }
}
