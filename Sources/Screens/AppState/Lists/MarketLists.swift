// LT13: a person's own lists of instruments, in an order made by hand. The server keeps them, so
// that every page has the same.

public import MarketModel
public import WireJSON

/// A list of instruments.
public struct MarketList: Equatable, Sendable, Identifiable {
  /// What it is called by pages: "stars", "list-1".
  ///
  /// Never another list's, also not later.
  public let id: String
  /// Its name for people, 1 to 40 characters.
  public internal(set) var name: String
  /// Its instruments, each once, in the order of the person.
  public internal(set) var members: [InstrumentKey]
}

/// All lists of a person.
public struct MarketLists: Equatable, Sendable {
  /// The most lists.
  public static let maximumLists = 32
  /// The most instruments of a list.
  public static let maximumMembers = 500
  /// The most characters of a list's name.
  public static let maximumNameLength = 40
  /// The most bytes of a list's name: characters of many parts are no way around the other bound.
  static let maximumNameBytes = 160
  /// The list that is always there.
  public static let starsID = "stars"

  /// The lists, the stars first.
  public internal(set) var lists: [MarketList]
  /// The number of the next list that is made.
  var next = 1

  /// The stars, empty.
  public init() {
    lists = [MarketList(id: MarketLists.starsID, name: "Stars", members: [])]
  }

  /// The list with this identifier; nil without one.
  public subscript(id: String) -> MarketList? { lists.first { $0.id == id } }

  /// Adds an instrument, or moves it where it is a member already.
  ///
  /// - Parameters:
  ///   - member: the instrument.
  ///   - id: the list.
  ///   - place: the member that comes after it; nil for the end.
  /// - Throws: when there is no such list, the list is full, or `place` is no member of it; nothing
  ///   has changed then.
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

  /// Takes an instrument out; nothing when it is no member.
  ///
  /// Throws when there is no such list.
  public mutating func remove(
    _ member: InstrumentKey, from id: String
  ) throws(MarketListProblem) {
    let index = try index(of: id)
    lists[index].members.removeAll { $0 == member }
  }

  /// Makes an empty list; returns its identifier.
  ///
  /// Throws when there are too many lists, or the name is none or another list's.
  @discardableResult
  public mutating func create(_ name: String) throws(MarketListProblem) -> String {
    guard lists.count < MarketLists.maximumLists, next < Int.max else { throw .tooManyLists }
    let name = try checked(name, for: nil)
    let id = "list-\(next)"
    next += 1
    lists.append(MarketList(id: id, name: name, members: []))
    return id
  }

  /// Gives a list another name.
  ///
  /// Throws when there is no such list, it is the stars, or the name is none or another list's.
  public mutating func rename(_ id: String, to name: String) throws(MarketListProblem) {
    let index = try index(of: id)
    guard id != MarketLists.starsID else { throw .starsStay }
    lists[index].name = try checked(name, for: id)
  }

  /// Takes a list away.
  ///
  /// Throws when there is no such list or it is the stars.
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

  /// A name without spaces around it and without marks that reorder or hide text; nil when it is
  /// invalid.
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

  /// The text without format characters, but for joiners within scripts and emoji that need them:
  /// between two characters beyond ASCII.
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

  /// Whether a character is U+200C or U+200D.
  private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\u{200c}" || scalar == "\u{200d}"
  }
}

// MARK: - JSON

// The file may have been changed by hand, so it is validated as a whole.

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
  /// has an identifier or a name of another one, or is not ours.
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

/// A person's lists: topic `lists` of docs/page-protocol.md.
public struct MarketListsState: Equatable, Sendable {
  /// The lists.
  public var lists: MarketLists
  /// Why they may not be kept, one clear sentence; nil when they are.
  public var problem: String?

  /// Creates a state.
  public init(_ lists: MarketLists = MarketLists(), problem: String? = nil) {
    (self.lists, self.problem) = (lists, problem)
  }
}
