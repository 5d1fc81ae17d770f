import Testing

@testable import SocketServer

@Suite struct EntityTagsTests {
  @Test(arguments: ["\"a-br\"", "W/\"a-br\"", "\"x\", \"a-br\"", " \"a-br\" ,", "*", " * "])
  func `a kept version is known`(header: String) {
    #expect(EntityTags(ifNoneMatch: header).contains("\"a-br\""))
  }

  @Test(
    arguments: [
      nil, "", "a-br", "\"a\"", "\"a-br", "a-br\"", "\"A-BR\"", "**", "\"*\"", "w/\"a-br\"", "\"",
      "W/", ",,,", "\"a-br\"x",
    ] as [String?])
  func `another version is not`(header: String?) {
    #expect(!EntityTags(ifNoneMatch: header).contains("\"a-br\""))
  }

  @Test func `a header without end is not read`() {
    let tags = Array(repeating: "\"a-br\"", count: 1000).joined(separator: ",")
    #expect(!EntityTags(ifNoneMatch: tags).contains("\"a-br\""))
  }
}
