// Text from outside, on its way to a log, a terminal or a page.

import MarketModel
import Testing

@Suite struct ForeignTextTests {
  @Test(
    arguments: [
      ("", ""), ("Rate limit exceeded, retry in 29 seconds.", nil), ("Übergröße: 你好 🙂", nil),
      ("a\r\n2026-11-21T00:00:00+0000 error FAKE", "a  2026-11-21T00:00:00+0000 error FAKE"),
      ("\u{1b}[31mred\u{7}", " [31mred "), ("\u{9b}31m", " 31m"), ("a\u{2028}b\u{85}c", "a b c"),
      ("abc\u{202e}fed\u{2066}", "abcfed"), ("a\u{200b}\u{feff}b", "ab"),
      ("\u{e000}\u{fffff}x", "x"),
      ("a\0b", "a b"),
    ] as [(String, String?)])
  func `nothing is left that is not printed`(text: String, shown: String?) {
    #expect(ForeignText.clean(text) == shown ?? text)
  }

  @Test func `two hundred characters are left, however they are written`() {
    for text in [String(repeating: "x", count: 5000), String(repeating: "e\u{301}", count: 5000)] {
      let shown = ForeignText.clean(text)
      #expect(shown.unicodeScalars.count == 200)
      #expect(shown.hasSuffix("…"))
    }
    let whole = String(repeating: "y", count: 200)
    #expect(ForeignText.clean(whole) == whole)
  }
}
