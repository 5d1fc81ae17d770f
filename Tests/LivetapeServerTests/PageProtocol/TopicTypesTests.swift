// The page's types of topics against the server's encoders: an added, renamed or removed member
// fails here until the page follows.

import Foundation
import MarketModel
import Testing

@testable import LivetapeServer

@Suite struct TopicTypesTests {
  private let file = GeneratedFile(path: "Web/types/topics.d.ts", variable: "UPDATE_TOPIC_TYPES")

  @Test func `the types of topics that the page is checked with are those of the encoders`() throws
  {
    try file.expect(TopicTypes(of: TopicSampler().all).text, suite: "TopicTypesTests")
  }

  @Test func `every topic of the page protocol has its types`() throws {
    let samples = try TopicSampler().all
    let server = TopicServer(catalogue: .screens(origin: .simulated))
    for topic in samples.map(\.topic) where !topic.contains("*") {
      #expect(server.exists(topic), "\(topic)")
    }
    let page = file.url.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/page-protocol.md")
    let protocolText = try String(contentsOf: page, encoding: .utf8)
    let table = protocolText.split(separator: "## Topics")[1].split(separator: "\n## ")[0]
    let documented = table.matches(of: /\n\| `([A-Za-z]+)/).map { String($0.output.1) }
    let typed = samples.map { String($0.topic.split(separator: "/")[0]) }
    #expect(documented.sorted() == typed.sorted())
  }

  @Test func `a book may be grouped by steps that there are, and by nothing else`() {
    let catalogue = TopicCatalogue.screens(origin: .simulated)
    for name in ["XBTUSD", "XBTUSD?group=1", "XBTUSD?group=25", "BTC/USD?group=1000000"] {
      #expect(catalogue.screen(for: "book/\(name)") != nil, "\(name)")
    }
    for query in [
      "", "group", "group=", "group=0", "group=3", "group=-5", "group=+5", "group=05", "group=2.5",
      "group=10000000", "group=9223372036854775808", "group=25&group=25", "group=25?", "GROUP=25",
      "group= 25", "group=２５", "step=25", String(repeating: "9", count: 4000),
    ] {
      #expect(catalogue.screen(for: "book/XBTUSD?\(query)") == nil, "\(query)")
    }
    #expect(catalogue.screen(for: "book/?group=25") == nil)
  }

  @Test func `a member that a state leaves out is optional and its words are those that occur`()
    throws
  {
    let types = try TopicTypes(of: TopicSampler().all).text
    #expect(types.contains("    price?: string;"))
    #expect(types.contains(#"status: "resyncing" | "synced" | "waiting";"#))
    #expect(types.contains("type Book = KnownBook | UnknownBook;"))
    #expect(types.contains("    inBase: null | string,"))
  }
}
