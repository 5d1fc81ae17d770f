import MarketModel
import VenueSimulator
import WireJSON

/// Drives a simulated venue manually: its clock, and its clients' mailboxes.
struct VenueDriver<Wrapped: SimulatedVenue> {
  var venue: Wrapped
  private(set) var now: Timestamp
  /// Messages by client, oldest first.
  private(set) var received: [ClientID: [[UInt8]]] = [:]
  private(set) var closed: Set<ClientID> = []

  /// The start of all tests: 2021-07-22T22:36:07Z.
  static var start: Timestamp { Timestamp(milliseconds: 1_626_993_367_000) }

  init(_ venue: Wrapped, start: Timestamp = VenueDriver.start) {
    self.venue = venue
    now = start
  }

  mutating func connect(_ number: Int, _ request: VenueRequest = VenueRequest(path: "")) {
    perform(venue.connect(ClientID(number), request, at: now))
  }

  mutating func send(_ text: String, from number: Int, binary: Bool = false) {
    perform(venue.receive(Array(text.utf8), binary: binary, from: ClientID(number), at: now))
  }

  /// Advances the clock event by event, as a host does.
  mutating func run(milliseconds: Int64) {
    let end = Timestamp(nanoseconds: now.nanoseconds + milliseconds * 1_000_000)
    while let next = venue.nextEvent, next <= end {
      now = max(now, next)
      perform(venue.advance(to: now))
    }
    now = end
    perform(venue.advance(to: now))
  }

  /// A client's received messages, as text; empties its mailbox.
  mutating func take(_ number: Int) -> [String] {
    takeBytes(number).map { String(decoding: $0, as: UTF8.self) }
  }

  mutating func takeBytes(_ number: Int) -> [[UInt8]] {
    defer { received[ClientID(number)] = nil }
    return received[ClientID(number)] ?? []
  }

  private mutating func perform(_ effects: [VenueEffect]) {
    for effect in effects {
      switch effect {
      case .send(let clients, let bytes, _):
        for client in clients { received[client, default: []].append(bytes) }
      case .close(let client, _, _), .drop(let client): closed.insert(client)
      }
    }
  }
}

/// A JSON value for assertions; numbers keep their text.
indirect enum JSONTree: Equatable {
  case object([(key: String, value: JSONTree)])
  case array([JSONTree])
  case string(String)
  case number(String)
  case boolean(Bool)
  case null

  /// Parses a whole text; throws when it is not JSON.
  init(_ bytes: [UInt8]) throws(JSONError) {
    var cursor = JSONCursor()
    self = try JSONTree(bytes.span, &cursor)
    try cursor.finish(bytes.span)
  }

  init(_ text: String) throws(JSONError) { try self.init(Array(text.utf8)) }

  private init(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) {
    switch try cursor.peek(bytes) {
    case UInt8(ascii: "{"):
      var members: [(String, JSONTree)] = []
      try cursor.beginObject(bytes)
      var first = true
      while let key = try cursor.nextKey(bytes, first: &first) {
        members.append((JSONText.decode(bytes, key), try JSONTree(bytes, &cursor)))
      }
      self = .object(members)
    case UInt8(ascii: "["):
      var elements: [JSONTree] = []
      try cursor.beginArray(bytes)
      var first = true
      while try cursor.nextElement(bytes, first: &first) {
        elements.append(try JSONTree(bytes, &cursor))
      }
      self = .array(elements)
    case UInt8(ascii: "\""): self = .string(try cursor.text(bytes, maximumBytes: 1 << 20))
    case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .boolean(try cursor.boolean(bytes))
    case UInt8(ascii: "n"):
      try cursor.takeNull(bytes)
      self = .null
    default:
      let start = cursor.offset
      try cursor.skipValue(bytes)
      self = .number(String(decoding: (start..<cursor.offset).map { bytes[$0] }, as: UTF8.self))
    }
  }

  subscript(_ key: String) -> JSONTree? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  subscript(_ index: Int) -> JSONTree? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  var keys: [String] {
    guard case .object(let members) = self else { return [] }
    return members.map(\.key)
  }

  var elements: [JSONTree] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }

  var text: String? {
    switch self {
    case .string(let text), .number(let text): text
    default: nil
    }
  }

  var decimal: FixedDecimal? { text.flatMap { FixedDecimal($0) } }

  static func == (left: JSONTree, right: JSONTree) -> Bool {
    switch (left, right) {
    case (.object(let a), .object(let b)):
      a.map(\.key) == b.map(\.key) && a.map(\.value) == b.map(\.value)
    case (.array(let a), .array(let b)): a == b
    case (.string(let a), .string(let b)), (.number(let a), .number(let b)): a == b
    case (.boolean(let a), .boolean(let b)): a == b
    case (.null, .null): true
    default: false
    }
  }
}

/// Texts that no venue may trap on.
enum HostileInput {
  static let texts: [String] = [
    "", " ", "{", "}", "[", "[[[[", "\"", "\\", "null", "42", "-", "1e400", "{}", "[]", "\"x\"",
    "{\"op\":}", "{\"op\":\"subscribe\"}", "{\"op\":\"subscribe\",\"args\":{}}",
    "{\"op\":\"subscribe\",\"args\":[1,2]}", "{\"op\":7,\"args\":[\"trade\"]}",
    "{\"op\":\"subscribe\",\"args\":[\"\"]}", "{\"op\":\"subscribe\",\"args\":[\":\"]}",
    "{\"op\":\"subscribe\",\"args\":[\"trade:XBTUSD:XBTUSD\"]}",
    "{\"subscribe\":null}", "{\"subscribe\":[null,{},[[]],1e999]}", "{\"subscribe\":\"\\ud800\"}",
    "{\"subscribeTo\":{}}", "{\"subscribeTo\":[1]}", "{\"subscribeTo\":[\"trading.product.\"]}",
    "{\"unsubscribeFrom\":null,\"subscribeTo\":null}", "hello", "ping", "\u{0}\u{1}",
    String(repeating: "[", count: 5000), String(repeating: "{\"a\":", count: 5000),
    "{\"subscribe\":\"" + String(repeating: "A", count: 20_000) + "\"}",
  ]

  /// The texts, a valid message truncated at every byte, and the same with each byte changed.
  static func messages(around valid: String) -> [[UInt8]] {
    let bytes = Array(valid.utf8)
    let cut = bytes.indices.map { Array(bytes[..<$0]) }
    let changed = bytes.indices.flatMap { index in
      [UInt8(0), 0x22, 0x80, 0xff].map { byte in
        var copy = bytes
        copy[index] = byte
        return copy
      }
    }
    return texts.map { Array($0.utf8) } + cut + changed
  }
}
