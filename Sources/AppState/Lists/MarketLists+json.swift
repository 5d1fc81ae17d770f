// A person's lists as one JSON text, as the server keeps them. What is read may have been written
// by anybody, so it is checked as a whole.

import MarketModel
public import WireJSON

extension MarketLists {
  /// The most bytes of all lists as JSON: more than the bounds of the parts add up to.
  public static let maximumBytes = 2 << 20
  private static let version: Int64 = 1

  /// The lists as JSON.
  public var json: [UInt8] {
    var writer = JSONWriter(capacity: 4096)
    writer.beginObject()
    writer.member("version", MarketLists.version)
    writer.member("next", next)
    writer.key("lists")
    writeLists(to: &writer)
    writer.endObject()
    return writer.bytes
  }

  /// Writes the lists as the disk and the pages have them: an array of
  /// `{"id":"stars","name":"Stars","members":["kraken/BTC/USD"]}`.
  public func writeLists(to writer: inout JSONWriter) {
    writer.array(lists) { writer, list in
      writer.beginObject()
      writer.member("id", list.id)
      writer.member("name", list.name)
      writer.member("members", array: list.members) { $0.string($1.text) }
      writer.endObject()
    }
  }

  /// Reads what ``json`` wrote.
  ///
  /// Throws where it is anything else: a bound is exceeded, a key is missing or there twice, a list
  /// has an identifier or a name of another one or is none of ours.
  public init(decoding bytes: Span<UInt8>) throws(JSONError) {
    guard bytes.count <= MarketLists.maximumBytes else {
      throw JSONError(.tooLong, at: MarketLists.maximumBytes)
    }
    var cursor = JSONCursor()
    var seen = KeySet()
    self.init()
    lists = []
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      if JSONText.equals(bytes, key, "version") {
        try seen.insert(1, at: key.lowerBound)
        let version = try cursor.integer(bytes)
        guard version == MarketLists.version else {
          throw JSONError(.numberOutOfRange, at: key.lowerBound)
        }
      } else if JSONText.equals(bytes, key, "next") {
        try seen.insert(2, at: key.lowerBound)
        let number = try cursor.integer(bytes)
        guard number > 0, let next = Int(exactly: number) else {
          throw JSONError(.numberOutOfRange, at: key.lowerBound)
        }
        self.next = next
      } else if JSONText.equals(bytes, key, "lists") {
        try seen.insert(4, at: key.lowerBound)
        lists = try Self.lists(bytes, &cursor)
      } else {
        throw JSONError(.unexpectedCharacter, at: key.lowerBound)
      }
    }
    try cursor.finish(bytes)
    try seen.require(7, at: 0)
    try check()
  }

  /// What the parts must be to each other.
  private func check() throws(JSONError) {
    let isSound =
      lists.first?.id == MarketLists.starsID && lists.first?.name == "Stars"
      && Set(lists.map(\.id)).count == lists.count
      && Set(lists.map { $0.name.lowercased() }).count == lists.count
      && lists.dropFirst().allSatisfy { list in
        // Written as we write it, so that no other text stands for the same list.
        guard let number = Int(list.id.dropFirst(5)) else { return false }
        return number > 0 && number < next && list.id == "list-\(number)"
      }
    guard isSound else { throw JSONError(.wrongType, at: 0) }
  }

  private static func lists(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> [MarketList] {
    try cursor.list(bytes, atMost: maximumLists) { (cursor) throws(JSONError) in
      try list(bytes, &cursor)
    }
  }

  private static func list(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> MarketList {
    let start = cursor.offset
    var list = MarketList(id: "", name: "", members: [])
    var seen = KeySet()
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      if JSONText.equals(bytes, key, "id") {
        try seen.insert(1, at: key.lowerBound)
        list = MarketList(
          id: try cursor.text(bytes, maximumBytes: 32), name: list.name, members: list.members)
      } else if JSONText.equals(bytes, key, "name") {
        try seen.insert(2, at: key.lowerBound)
        let name = try cursor.text(bytes, maximumBytes: maximumNameBytes)
        guard let cleaned = cleaned(name), cleaned == withoutMarks(name) else {
          throw JSONError(.badString, at: key.lowerBound)
        }
        list.name = cleaned
      } else if JSONText.equals(bytes, key, "members") {
        try seen.insert(4, at: key.lowerBound)
        list.members = try members(bytes, &cursor)
      } else {
        throw JSONError(.unexpectedCharacter, at: key.lowerBound)
      }
    }
    try seen.require(7, at: start)
    return list
  }

  private static func members(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> [InstrumentKey] {
    var known: Set<InstrumentKey> = []
    return try cursor.list(bytes, atMost: maximumMembers) { (cursor) throws(JSONError) in
      let start = cursor.offset
      let text = try cursor.text(bytes, maximumBytes: Symbol.maximumBytes + 16)
      guard let member = InstrumentKey(text: text), known.insert(member).inserted else {
        throw JSONError(.badString, at: start)
      }
      return member
    }
  }
}
