public import MarketModel
public import WireJSON

/// A list of instruments in the user's order.
public struct MarketList: Equatable, Sendable, Identifiable {
  /// The identifier used by pages: "stars", "list-1"; never reused.
  public let id: String
  /// The display name, 1 to 40 characters.
  public internal(set) var name: String
  /// The instruments, unique, in the user's order.
  public internal(set) var members: [InstrumentKey]
}

/// All lists of the user (LT13), stored by the server so every page has the same ones.
public struct MarketLists: Equatable, Sendable {
  /// The maximum number of lists.
  public static let maximumLists = 32
  /// The maximum number of instruments in a list.
  public static let maximumMembers = 500
  /// The maximum length of a name in characters.
  public static let maximumNameLength = 40
  /// The maximum length of a name in bytes, since a character can have many bytes.
  static let maximumNameBytes = 160
  /// The identifier of the permanent list.
  public static let starsID = "stars"

  /// The lists, stars first.
  public internal(set) var lists: [MarketList]
  /// The number of the next new list.
  var next = 1

  /// Creates the empty list of stars.
  public init() {
    lists = [MarketList(id: MarketLists.starsID, name: "Stars", members: [])]
  }

  /// The list with this identifier; nil if unknown.
  public subscript(id: String) -> MarketList? { lists.first { $0.id == id } }

  /// Adds an instrument, or moves a member.
  ///
  /// - Parameters:
  ///   - member: the instrument.
  ///   - id: the list.
  ///   - place: the member to insert before; nil for the end.
  /// - Throws: if the list is unknown or full, or `place` is not a member; nothing has changed
  ///   then.
  public mutating func add(
    _ member: InstrumentKey, to id: String, before place: InstrumentKey? = nil
  ) throws(MarketListProblem) {
    let index = try index(of: id)
    if place == member, lists[index].members.contains(member) { return }
    var members = lists[index].members.filter { $0 != member }
    guard members.count < MarketLists.maximumMembers else { throw .tooManyMembers }
    if let place {
      guard let position = members.firstIndex(of: place) else { throw .noSuchPlace }
      members.insert(member, at: position)
    } else {
      members.append(member)
    }
    lists[index].members = members
  }

  /// Removes an instrument; does nothing if it is not a member.
  ///
  /// Throws if the list is unknown.
  public mutating func remove(
    _ member: InstrumentKey, from id: String
  ) throws(MarketListProblem) {
    let index = try index(of: id)
    lists[index].members.removeAll { $0 == member }
  }

  /// Creates an empty list; returns its identifier.
  ///
  /// Throws if there are too many lists, or the name is invalid or already taken.
  @discardableResult
  public mutating func create(_ name: String) throws(MarketListProblem) -> String {
    guard lists.count < MarketLists.maximumLists, next < Int.max else { throw .tooManyLists }
    let name = try checked(name, for: nil)
    let id = "list-\(next)"
    next += 1
    lists.append(MarketList(id: id, name: name, members: []))
    return id
  }

  /// Renames a list.
  ///
  /// Throws if the list is unknown or the stars, or the name is invalid or already taken.
  public mutating func rename(_ id: String, to name: String) throws(MarketListProblem) {
    let index = try index(of: id)
    guard id != MarketLists.starsID else { throw .starsStay }
    lists[index].name = try checked(name, for: id)
  }

  /// Deletes a list.
  ///
  /// Throws if the list is unknown or the stars.
  public mutating func delete(_ id: String) throws(MarketListProblem) {
    let index = try index(of: id)
    guard id != MarketLists.starsID else { throw .starsStay }
    lists.remove(at: index)
  }

  private func index(of id: String) throws(MarketListProblem) -> Int {
    guard let index = lists.firstIndex(where: { $0.id == id }) else { throw .noSuchList }
    return index
  }

  private func checked(_ name: String, for id: String?) throws(MarketListProblem) -> String {
    guard let name = MarketLists.cleaned(name) else { throw .badName }
    let others = lists.filter { $0.id != id }
    guard !others.contains(where: { $0.name.lowercased() == name.lowercased() }) else {
      throw .nameTaken
    }
    return name
  }

  /// Trims a name and removes marks that reorder or hide text; nil if it is invalid.
  static func cleaned(_ name: String) -> String? {
    guard name.utf8.count <= 4 * maximumNameBytes else { return nil }
    var text = Substring(withoutMarks(name))
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    guard text.unicodeScalars.allSatisfy({ isJoiner($0) || ForeignText.showsItself($0) }),
      !text.isEmpty, text.count <= maximumNameLength, text.utf8.count <= maximumNameBytes
    else { return nil }
    return String(text)
  }

  /// Removes format characters, except joiners between two non-ASCII characters, which some scripts
  /// and emoji need.
  static func withoutMarks(_ name: String) -> String {
    let scalars = Array(name.unicodeScalars)
    var kept = String.UnicodeScalarView()
    func joins(_ index: Int) -> Bool {
      scalars.indices.contains(index) && !scalars[index].isASCII
        && scalars[index].properties.generalCategory != .format
    }
    for (index, scalar) in scalars.enumerated() {
      let isMark = scalar.properties.generalCategory == .format
      guard !isMark || isJoiner(scalar) && joins(index - 1) && joins(index + 1) else { continue }
      kept.append(scalar)
    }
    return String(kept)
  }

  private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\u{200c}" || scalar == "\u{200d}"
  }
}

// MARK: - JSON

// The file may have been edited by hand, so it is validated as a whole.

extension MarketLists {
  /// The maximum bytes of all lists as JSON; more than the bounds of the parts add up to.
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

  /// Writes the lists as they are stored and sent to pages.
  ///
  /// An array of `{"id":"stars","name":"Stars","members":["kraken/BTC/USD"]}`.
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
  /// Throws if a bound is exceeded, a key is missing or duplicated, or a list has an invalid or
  /// duplicate identifier or name.
  public init(decoding bytes: Span<UInt8>) throws(JSONError) {
    guard bytes.count <= MarketLists.maximumBytes else {
      throw JSONError(.tooLong, at: MarketLists.maximumBytes)
    }
    var cursor = JSONCursor()
    self.init()
    lists = []
    try cursor.object(bytes, required: ["version", "next", "lists"]) {
      (key, cursor) throws(JSONError) in
      switch key {
      case "version":
        let version = try cursor.integer(bytes)
        guard version == MarketLists.version else {
          throw JSONError(.numberOutOfRange, at: key.range.lowerBound)
        }
      case "next":
        let number = try cursor.integer(bytes)
        guard number > 0, let next = Int(exactly: number) else {
          throw JSONError(.numberOutOfRange, at: key.range.lowerBound)
        }
        self.next = next
      case "lists": lists = try Self.lists(bytes, &cursor)
      default: throw JSONError(.unexpectedCharacter, at: key.range.lowerBound)
      }
    }
    try cursor.finish(bytes)
    try check()
  }

  private func check() throws(JSONError) {
    let isSound =
      lists.first?.id == MarketLists.starsID && lists.first?.name == "Stars"
      && Set(lists.map(\.id)).count == lists.count
      && Set(lists.map { $0.name.lowercased() }).count == lists.count
      && lists.dropFirst().allSatisfy { list in
        // Canonical form, so that no other text denotes the same list.
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
    var list = MarketList(id: "", name: "", members: [])
    try cursor.object(bytes, required: ["id", "name", "members"]) {
      (key, cursor) throws(JSONError) in
      switch key {
      case "id":
        list = MarketList(
          id: try cursor.text(bytes, maximumBytes: 32), name: list.name, members: list.members)
      case "name":
        let name = try cursor.text(bytes, maximumBytes: maximumNameBytes)
        guard let cleaned = cleaned(name), cleaned == withoutMarks(name) else {
          throw JSONError(.badString, at: key.range.lowerBound)
        }
        list.name = cleaned
      case "members": list.members = try members(bytes, &cursor)
      default: throw JSONError(.unexpectedCharacter, at: key.range.lowerBound)
      }
    }
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

/// The user's lists: topic `lists` of docs/page-protocol.md.
public struct MarketListsState: Equatable, Sendable {
  /// The lists.
  public var lists: MarketLists
  /// Why they may not be saved, as a sentence; nil if they are.
  public var problem: Sentence?

  /// Creates a state.
  public init(_ lists: MarketLists = MarketLists(), problem: Sentence? = nil) {
    (self.lists, self.problem) = (lists, problem)
  }
}
