// Accept headers of browsers, scripts and hostile clients, and the chosen form.

import Testing

@testable import SocketServer

@Suite struct AcceptHeaderTests {
  @Test(
    arguments: [
      (nil, nil),
      ("", nil),
      ("gzip, deflate, br, zstd", "br"),
      ("gzip", "gzip"),
      ("GZip", "gzip"),
      ("br;q=0, gzip", "gzip"),
      ("br;q=0.5, gzip;q=0.9", "gzip"),
      ("br;q=0.5,gzip;q=0.50", "br"),
      ("*", "br"),
      ("*;q=0", nil),
      ("br;q=0, *", "gzip"),
      ("identity", nil),
      ("identity, br;q=0.9", nil),
      ("identity;q=0.5, br", "br"),
      ("identity, gzip", "gzip"),
      ("deflate, compress", nil),
      ("gzip \t; \tQ=0.001", "gzip"),
    ] as [(String?, String?)])
  func `the most welcome coding is chosen`(header: String?, expected: String?) {
    #expect(AcceptHeader(header).best(of: ["br", "gzip"]) == expected)
  }

  @Test(arguments: [
    "br;q=2", "br;q=1.001", "br;q=-1", "br;q=", "br;q=0.0000", "br;q=0.5.5", "br;q=NaN", "br;q=1e0",
    "br;level=9", "br;q=1;q=1", ";q=1", ";;;", ",,,,", "b r", "br\u{0}", "\"br\"", "br;q=0.x",
    "ｂｒ", "br;q=٠", "br, br;q=0",
  ])
  func `what can't be read welcomes nothing`(header: String) {
    #expect(AcceptHeader(header).best(of: ["br", "gzip"]) == nil)
  }

  @Test func `a header without end is not read`() {
    let long = String(repeating: "br,", count: AcceptHeader.maximumLength)
    #expect(AcceptHeader(long).best(of: ["br"]) == nil)
    #expect(AcceptHeader("br" + String(repeating: " ", count: 510)).best(of: ["br"]) == "br")
    #expect(AcceptHeader("br" + String(repeating: " ", count: 511)).best(of: ["br"]) == nil)
  }

  @Test func `random bytes never choose a coding that they do not name`() {
    var seed = UInt64(20_261_123)
    let alphabet = Array("brgzip*;q=01.5, \t\"\\x".unicodeScalars)
    for _ in 0..<2000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<24 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text.append(alphabet[Int(seed >> 33) % alphabet.count])
      }
      let header = String(text)
      let chosen = AcceptHeader(header).best(of: ["br", "gzip"])
      let isNamed = chosen.map { header.contains($0) || header.contains("*") } ?? true
      #expect(isNamed, "seed 20261123: \(header)")
    }
  }
}
