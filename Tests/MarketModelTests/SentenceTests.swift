import MarketModel
import Testing

struct SentenceTests {
  private let venue = "Kraken"

  @Test
  func `a literal is a key with numbered arguments`() {
    let sentence: Sentence = "\(venue) has been silent for \(12) s. Reconnecting."
    #expect(sentence.key == "{0} has been silent for {1} s. Reconnecting.")
    #expect(sentence.description == "Kraken has been silent for 12 s. Reconnecting.")
    let plain: Sentence = "Loading orders…"
    #expect(plain.key == "Loading orders…" && plain.arguments.isEmpty)
  }

  @Test
  func `a nested sentence is an argument`() throws {
    let why: Sentence = "only \(3) offered"
    let sentence: Sentence = "Cancelled: \(why)."
    #expect(sentence.key == "Cancelled: {0}." && sentence.arguments.count == 1)
    guard case .sentence(let argument) = sentence.arguments[0] else {
      Issue.record("not a sentence")
      return
    }
    #expect(argument.key == "only {0} offered")
    #expect(sentence.description == "Cancelled: only 3 offered.")
  }

  @Test
  func `equal are sentences with the same English text`() {
    let built: Sentence = "\(venue) is restarting."
    #expect(built == "Kraken is restarting.")
    #expect(built.hashValue == Sentence("Kraken is restarting.").hashValue)
    #expect(built != "BitMEX is restarting.")
  }

  @Test
  func `an argument is inserted as it is`() {
    let figure = "{0}"
    let sentence: Sentence = "Lot \(figure), tick \("{$0.01}") \("{1}")"
    #expect(sentence.description == "Lot {0}, tick {$0.01} {1}")
  }

  @Test
  func `marks of the text that are no arguments stay`() {
    let sentence = Sentence(key: "{ago} {0} {1} {} {12} {999} {", arguments: [.text("a")])
    #expect(sentence.description == "{ago} a {1} {} {12} {999} {")
  }

  @Test
  func `a twelfth argument has two digits`() {
    let arguments = (0..<12).map { Sentence.Argument.text("\($0)") }
    #expect(Sentence(key: "{11}{10}{9}", arguments: arguments).description == "11109")
  }

  @Test
  func `sentences are joined with blanks`() {
    let sentence = Sentence(joining: ["It is late.", "\(venue) is restarting."])
    #expect(sentence == "It is late. Kraken is restarting.")
    #expect(sentence.key == "{0} {1}")
  }

  @Test
  func `foreign text in key and arguments is cleaned, at every depth`() {
    let bell = "a\u{7}b"
    let inner: Sentence = "in\ner \(bell)"
    let long = String(repeating: "x", count: 500)
    let cleaned = ("outer \(inner) \(long)" as Sentence).cleaned
    #expect(
      cleaned.description == "outer in er a b " + String(repeating: "x", count: 199) + "…")
  }

  @Test
  func `a text from outside is no key`() {
    let sentence = Sentence(verbatim: "is {0} it?")
    #expect(sentence.key == "{0}" && sentence.description == "is {0} it?")
  }
}
