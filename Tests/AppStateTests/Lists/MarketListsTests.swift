import MarketModel
import Testing
import WireJSON

@testable import AppState

struct MarketListsTests {
  private func key(_ text: String) throws -> InstrumentKey {
    try #require(InstrumentKey(text: text))
  }

  private func coin(_ number: Int) throws -> InstrumentKey { try key("kraken/C\(number)/USD") }

  private func read(_ bytes: [UInt8]) throws(JSONError) -> MarketLists {
    try MarketLists(decoding: bytes.span)
  }

  @Test func `there are always the stars`() {
    let lists = MarketLists()
    #expect(lists.lists == [MarketList(id: "stars", name: "Stars", members: [])])
  }

  @Test func `an instrument goes to the end, or before another, and is never there twice`() throws {
    var lists = MarketLists()
    for number in 1...3 { try lists.add(try coin(number), to: "stars") }
    try lists.add(try coin(3), to: "stars", before: try coin(1))
    #expect(lists["stars"]?.members == [try coin(3), try coin(1), try coin(2)])
    try lists.add(try coin(3), to: "stars")
    #expect(lists["stars"]?.members == [try coin(1), try coin(2), try coin(3)])
    try lists.add(try coin(2), to: "stars", before: try coin(2))
    #expect(lists["stars"]?.members == [try coin(1), try coin(2), try coin(3)])
    try lists.remove(try coin(2), from: "stars")
    try lists.remove(try coin(2), from: "stars")
    #expect(lists["stars"]?.members == [try coin(1), try coin(3)])
  }

  @Test func `lists are made, named and deleted, and no identifier comes twice`() throws {
    var lists = MarketLists()
    let first = try lists.create("  Layer 1 ")
    #expect(first == "list-1" && lists[first]?.name == "Layer 1")
    try lists.rename(first, to: "layer 1")
    try lists.delete(first)
    let second = try lists.create("Layer 1")
    #expect(second == "list-2")
  }

  @Test func `a rejected command changes nothing and gives the reason`() throws {
    var lists = MarketLists()
    let id = try lists.create("Mine")
    try lists.add(try coin(1), to: id)
    let before = lists
    #expect(throws: MarketListProblem.noSuchList) { try lists.add(try coin(1), to: "list-9") }
    #expect(throws: MarketListProblem.noSuchList) { try lists.remove(try coin(1), from: "") }
    #expect(throws: MarketListProblem.noSuchPlace) {
      try lists.add(try coin(2), to: id, before: try coin(3))
    }
    #expect(throws: MarketListProblem.noSuchPlace) {
      try lists.add(try coin(2), to: id, before: try coin(2))
    }
    #expect(throws: MarketListProblem.nameTaken) { try lists.create("STARS") }
    #expect(throws: MarketListProblem.starsStay) { try lists.rename("stars", to: "Best") }
    #expect(throws: MarketListProblem.starsStay) { try lists.delete("stars") }
    #expect(throws: MarketListProblem.noSuchList) { try lists.delete("list-9") }
    let names = [
      "", "   ", "a\nb", "a\u{0}", "a\u{2028}b", String(repeating: "n", count: 41),
      String(repeating: "n", count: 100_000), "e" + String(repeating: "\u{301}", count: 300),
    ]
    for name in names {
      #expect(throws: MarketListProblem.badName) { try lists.create(name) }
      #expect(throws: MarketListProblem.badName) { try lists.rename(id, to: name) }
    }
    #expect(lists == before)
    try lists.rename(id, to: String(repeating: "ü", count: 40))
  }

  @Test(arguments: [
    ("a\u{202e}b", "ab"), ("\u{2066}a\u{2069}", "a"), ("a\u{200f}\u{200e} b", "a b"),
    ("\u{feff} a \u{200b}", "a"), ("a\u{ad}b\u{2060}c", "abc"), ("a\u{200d}b", "ab"),
    ("\u{200d}é", "é"), ("é\u{200d}\u{200d}é", "éé"), ("\u{e0041}a", "a"),
    ("می\u{200c}خواهم", "می\u{200c}خواهم"), ("👩\u{200d}💻", "👩\u{200d}💻"), ("قائمة", "قائمة"),
  ])
  func `a name loses the marks that reorder or hide text, and keeps its script`(
    typed: String, name: String
  ) throws {
    var lists = MarketLists()
    let id = try lists.create(typed)
    #expect(lists[id]?.name == name)
    try lists.rename(id, to: "Other")
    try lists.rename(id, to: typed)
    #expect(lists[id]?.name == name)
    // A file from before the check, which may contain the marks.
    let kept =
      #"{"version":1,"next":2,"lists":[{"id":"stars","name":"Stars","members":[]},"#
      + #"{"id":"list-1","name":"\#(MarketLists.withoutMarks(typed) == name ? typed : name)","#
      + #""members":[]}]}"#
    #expect(try read(Array(kept.utf8))["list-1"]?.name == name)
  }

  @Test(arguments: ["\u{202e}", "\u{200d}", "\u{feff} \u{200b}", "a\u{e000}"])
  func `a name of marks alone is no name`(typed: String) {
    var lists = MarketLists()
    #expect(throws: MarketListProblem.badName) { try lists.create(typed) }
  }

  @Test func `lists and members are bounded`() throws {
    var lists = MarketLists()
    for number in 1..<MarketLists.maximumLists { try lists.create("List \(number)") }
    #expect(throws: MarketListProblem.tooManyLists) { try lists.create("One more") }
    for number in 0..<MarketLists.maximumMembers { try lists.add(try coin(number), to: "stars") }
    #expect(throws: MarketListProblem.tooManyMembers) { try lists.add(try coin(1000), to: "stars") }
    try lists.add(try coin(3), to: "stars", before: try coin(0))
    #expect(lists["stars"]?.members.count == MarketLists.maximumMembers)
    #expect(lists.json.count < MarketLists.maximumBytes)
    #expect(try read(lists.json) == lists)
  }

  @Test func `what was written is read again`() throws {
    var lists = MarketLists()
    try lists.add(try key("kraken/AAPLx/USD"), to: "stars")
    let id = try lists.create(#"„Beste" \ 1"#)
    try lists.add(try key("isin/US0378331005"), to: id)
    try lists.delete(try lists.create("Gone"))
    let again = try read(lists.json)
    #expect(again == lists)
    #expect(again.lists.map(\.id) == ["stars", "list-1"])
  }

  @Test func `the largest lists are within the bound`() throws {
    var lists = MarketLists()
    let symbols = try (0..<MarketLists.maximumMembers).map { number in
      let text = "\(number)" + String(repeating: "A", count: Symbol.maximumBytes - 4)
      return InstrumentKey(.exchange, try symbol(text))
    }
    for number in 1..<MarketLists.maximumLists { try lists.create("List \(number)") }
    for index in lists.lists.indices { lists.lists[index].members = symbols }
    #expect(lists.json.count < MarketLists.maximumBytes)
  }

  @Test(arguments: [
    "", "{}", "[]", "null", #"{"version":1,"next":1}"#,
    #"{"version":2,"next":1,"lists":[{"id":"stars","name":"Stars","members":[]}]}"#,
    #"{"version":1,"next":1,"lists":[]}"#,
    #"{"version":1,"next":0,"lists":[{"id":"stars","name":"Stars","members":[]}]}"#,
    #"{"version":1,"next":1,"lists":[{"id":"stars","name":"Best","members":[]}]}"#,
    #"{"version":1,"next":1,"lists":[{"id":"list-1","name":"Stars","members":[]}]}"#,
    #"{"version":1,"next":1,"lists":[{"id":"stars","name":"Stars","members":["kraken"]}]}"#,
    #"{"version":1,"next":1,"lists":[{"id":"stars","name":"Stars","members":[1]}]}"#,
    #"{"version":1,"next":1,"lists":[{"id":"stars","name":"Stars","#
      + #""members":["isin/A","isin/A"]}]}"#,
    #"{"version":1,"next":1,"lists":[{"id":"stars","name":"Stars"}]}"#,
    #"{"version":1,"next":1,"lists":[{"id":"stars","id":"stars","name":"Stars","members":[]}]}"#,
    #"{"version":1,"next":1,"lists":[{"id":"stars","name":"Stars","members":[],"x":1}]}"#,
    #"{"version":1,"next":2,"lists":[{"id":"stars","name":"Stars","members":[]},"#
      + #"{"id":"list-1","name":"stars","members":[]}]}"#,
    #"{"version":1,"next":2,"lists":[{"id":"stars","name":"Stars","members":[]},"#
      + #"{"id":"list-2","name":"A","members":[]}]}"#,
    #"{"version":1,"next":2,"lists":[{"id":"stars","name":"Stars","members":[]},"#
      + #"{"id":"list-01","name":"A","members":[]}]}"#,
    #"{"version":1,"next":2,"lists":[{"id":"stars","name":"Stars","members":[]},"#
      + #"{"id":"list-1","name":" A","members":[]}]}"#,
    #"{"version":1,"next":1,"lists":[{"id":"stars","name":"Stars","members":[]}]} x"#,
  ])
  func `what we did not write is refused`(_ text: String) {
    #expect(throws: JSONError.self) { try read(Array(text.utf8)) }
  }

  @Test func `cut and bent text never gives lists that break a bound`() throws {
    var lists = MarketLists()
    try lists.add(try key("kraken/BTC/USD"), to: "stars")
    try lists.create("Mine")
    for text in distortions(of: String(decoding: lists.json, as: UTF8.self)) {
      guard let read = try? read(Array(text.utf8)) else { continue }
      #expect(read.lists.first?.id == "stars")
      #expect(Set(read.lists.map(\.id)).count == read.lists.count)
    }
  }
}
