import MarketModel
import Testing
import WireJSON

struct SentenceJSONTests {
  private func json(_ sentence: Sentence) -> String {
    String(decoding: sentence.json, as: UTF8.self)
  }

  private func read(_ json: String) -> Sentence? { Sentence(json: Array(json.utf8)) }

  @Test
  func `a sentence without arguments is a string`() {
    #expect(json("It is \"late\".") == #""It is \"late\".""#)
  }

  @Test
  func `arguments follow the key, and a nested sentence is an array`() {
    let why: Sentence = "it is late"
    let what: Sentence = "only \(3) offered"
    #expect(
      json("\("Kraken"): \(why), \(what)")
        == #"["{0}: {1}, {2}","Kraken",["it is late"],["only {0} offered","3"]]"#)
  }

  @Test
  func `what is written is read again`() throws {
    let inner: Sentence = "only \("{3}") offered"
    for sentence in ["Plain.", "One \(1).", "Nested: \(inner).", Sentence(verbatim: "“x”")] {
      let read = try #require(Sentence(json: sentence.json))
      #expect(read.json == sentence.json && read == sentence)
    }
  }

  @Test(arguments: [
    "", "7", "null", "true", "{}", "[]", "[7]", "[[\"a\"]]", "[\"a\",7]", "[\"a\",null]",
    "[\"a\",{}]", "[\"a\",[]]", "[\"a\",[7]]", "[\"a\"", "\"a", "\"a\"x", "[\"a\",]", "[\"a\"]]",
  ])
  func `anything else is rejected`(_ text: String) {
    #expect(read(text) == nil)
  }

  @Test
  func `a key may have 300 bytes`() {
    let key = String(repeating: "é", count: 150)
    #expect(read("\"\(key)\"")?.key == key)
    #expect(read("\"\(key)x\"") == nil)
    #expect(read("[\"\(key)x\"]") == nil)
  }

  @Test
  func `twelve arguments may follow a key`() {
    let twelve = Array(repeating: #","a""#, count: 12).joined()
    #expect(read("[\"k\"\(twelve)]")?.arguments.count == 12)
    #expect(read("[\"k\"\(twelve),\"a\"]") == nil)
  }

  @Test
  func `sentences may be nested four deep`() {
    #expect(read(#"["a",["b",["c",["d"]]]]"#) != nil)
    #expect(read(#"["a",["b",["c",["d",["e"]]]]]"#) == nil)
  }

  @Test
  func `an argument is cut, and controls become blanks`() {
    let long = String(repeating: "x", count: 300)
    #expect(read(#"["k {0}","a\u0007\u202eb"]"#) == "k a b")
    #expect(
      read("[\"{0}\",\"\(long)\"]")?.description == String(repeating: "x", count: 199) + "…")
    let tooLong = String(repeating: "x", count: 1201)
    #expect(read("[\"{0}\",\"\(tooLong)\"]") == nil)
  }
}
