import MarketModel

/// Parses one item of a ``FaultSpec``: its name, then optionally, in this order, "=" a strength,
/// "*" a count, "@" a message number, "for" a time.
struct FaultReader {
  static let names = [
    "drop", "gap", "duplicate", "reorder", "delay", "truncate", "corrupt", "checksum", "stall",
    "half-open", "refuse", "close", "cut", "clock", "flood",
  ]

  /// The item, safe for error texts.
  private let text: String
  private var name: String
  private var value: String?
  private var count: String?
  private var number: String?
  private var milliseconds: Int64?

  init(_ item: Substring) throws(FaultSpecError) {
    let words = item.split(separator: " ").map(String.init)
    text = ForeignText.clean(words.joined(separator: " "))
    guard let head = words.first, words.count == 1 || words.count == 3 && words[1] == "for" else {
      throw FaultSpecError("expected a fault such as “drop=2% for 5s”, found “\(text)”")
    }
    var rest = head
    number = FaultReader.cut(&rest, at: "@")
    count = FaultReader.cut(&rest, at: "*")
    value = FaultReader.cut(&rest, at: "=")
    name = rest
    if words.count == 3 {
      let bounds = name == "flood" ? FaultSpec.floodDurations : FaultSpec.durations
      milliseconds = try time(words[2], within: bounds)
    }
  }

  private static func cut(_ rest: inout String, at mark: Character) -> String? {
    guard let place = rest.firstIndex(of: mark) else { return nil }
    let tail = String(rest[rest.index(after: place)...])
    rest = String(rest[..<place])
    return tail
  }

  /// The order; throws on any part without a meaning.
  func order() throws(FaultSpecError) -> FaultOrder {
    let order = FaultOrder(try kind(), milliseconds: milliseconds)
    if count != nil, name != "refuse" { throw wrong("\(name) takes no “*”") }
    if milliseconds != nil, !order.lasts {
      throw wrong("this happens once, so it has no “for”")
    }
    if name == "flood", milliseconds == nil { throw wrong("a flood needs an end: “for 2s”") }
    return order
  }

  private func kind() throws(FaultSpecError) -> FaultOrder.Kind {
    switch name {
    case "drop": .message(.drop, try reach())
    case "duplicate": .message(.duplicate, try reach())
    case "reorder": .message(.reorder, try reach())
    case "truncate": .message(.truncate, try reach())
    case "corrupt": .message(.corrupt, try reach())
    case "checksum": .message(.checksum, try reach())
    case "gap": .gap(messages: try integer(value ?? "5", within: 1...10_000), from: try place())
    case "delay": .delay(milliseconds: try delay())
    case "stall": .stall(after: try silence())
    case "half-open": .halfOpen(after: try silence())
    case "refuse": try refusal()
    case "close": .close(code: try code(), after: try place())
    case "cut": .cut(after: try bare(place()))
    case "clock": .clock(milliseconds: try jump())
    case "flood": .flood(perSecond: try flood())
    default:
      throw FaultSpecError(
        "expected one of \(FaultReader.names.joined(separator: ", ")), "
          + "found “\(ForeignText.clean(name))”")
    }
  }

  private func reach() throws(FaultSpecError) -> FaultOrder.Reach {
    if let place = try place() { return .number(try bare(place)) }
    guard let value else { return .next }
    guard value.hasSuffix("%"), let share = FixedDecimal(String(value.dropLast())),
      !value.contains("e"), !value.contains("E"),
      let parts = share.exactly(at: Scale(clamping: 4))?.units, (1...1_000_000).contains(parts)
    else { throw wrong("expected a chance from 0.0001% to 100%") }
    return .chance(perMillion: parts)
  }

  private func place() throws(FaultSpecError) -> Int? {
    guard let number else { return nil }
    return try integer(number, within: 1...1_000_000_000)
  }

  private func silence() throws(FaultSpecError) -> Int { try bare(place()) ?? 0 }

  private func bare<Value>(_ read: Value) throws(FaultSpecError) -> Value {
    guard value == nil else { throw wrong("\(name) takes no “=” here") }
    return read
  }

  private func unplaced<Value>(_ read: Value) throws(FaultSpecError) -> Value {
    guard number == nil else { throw wrong("\(name) takes no “@”") }
    return read
  }

  private func delay() throws(FaultSpecError) -> Int64 {
    guard let value else { throw wrong("expected a time: “delay=300ms”") }
    return try unplaced(time(value, within: FaultSpec.delays))
  }

  private func refusal() throws(FaultSpecError) -> FaultOrder.Kind {
    let status = try integer(value ?? "503", within: 400...599)
    guard let count else { return .refuse(status: try unplaced(status), count: nil) }
    return .refuse(status: try unplaced(status), count: try integer(count, within: 1...1000))
  }

  private func code() throws(FaultSpecError) -> UInt16 {
    let code = UInt16(clamping: try integer(value ?? "1001", within: 1000...4999))
    // RFC 6455, 7.4: the codes allowed in a close frame.
    guard (1000...1003).contains(code) || (1007...1014).contains(code) || code >= 3000 else {
      throw wrong("expected a code that a close frame may have")
    }
    return code
  }

  private func jump() throws(FaultSpecError) -> Int64 {
    guard let value, let sign = value.first, sign == "+" || sign == "-" else {
      throw wrong("expected a jump: “clock=+90s”")
    }
    let size = try unplaced(time(String(value.dropFirst()), within: 1000...FaultSpec.maximumJump))
    guard size % 1000 == 0 else { throw wrong("expected a jump of whole seconds") }
    return sign == "-" ? -size : size
  }

  private func flood() throws(FaultSpecError) -> Int {
    guard let value, value.hasSuffix("/s") else {
      throw wrong("expected a rate: “flood=50000/s for 2s”")
    }
    return try unplaced(integer(String(value.dropLast(2)), within: FaultSpec.floods))
  }

  private func time(
    _ text: String, within bounds: ClosedRange<Int64>
  ) throws(FaultSpecError) -> Int64 {
    let units: [(name: String, milliseconds: Int64)] = [("ms", 1), ("min", 60_000), ("s", 1000)]
    guard let unit = units.first(where: { text.hasSuffix($0.name) }),
      let number = digits(text.dropLast(unit.name.count)),
      bounds.contains(number * unit.milliseconds)
    else {
      throw wrong("expected a time from \(bounds.lowerBound)ms to \(bounds.upperBound / 1000)s")
    }
    return number * unit.milliseconds
  }

  private func integer(
    _ text: String, within bounds: ClosedRange<Int>
  ) throws(FaultSpecError) -> Int {
    guard let number = digits(text[...]), bounds.contains(Int(number)) else {
      throw wrong("expected a number from \(bounds.lowerBound) to \(bounds.upperBound)")
    }
    return Int(number)
  }

  private func digits(_ text: Substring) -> Int64? {
    guard (1...10).contains(text.utf8.count),
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int64(text)
  }

  private func wrong(_ words: String) -> FaultSpecError { FaultSpecError("\(text): \(words)") }
}
