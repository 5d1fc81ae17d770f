// The default folder of a user's orders, by the environment.

import Testing

@testable import LivetapeServer

@Suite struct DataFolderTests {
  @Test func `the folder is where the system keeps a user's data`() {
    let home = DataFolder.standard(environment: ["HOME": "/people/ada"])
    let chosen = DataFolder.standard(
      environment: ["HOME": "/people/ada", "XDG_DATA_HOME": "/stores/ada"])
    let relative = DataFolder.standard(environment: [
      "HOME": "/people/ada", "XDG_DATA_HOME": "data",
    ])
    #if canImport(Darwin)
      let library = "/people/ada/Library/Application Support/Livetape"
      #expect([home, chosen, relative] == [library, library, library])
    #else
      #expect(home == "/people/ada/.local/share/livetape")
      #expect(chosen == "/stores/ada/livetape")
      #expect(relative == home, "a relative XDG_DATA_HOME is invalid and ignored")
    #endif
    let homeless = DataFolder.standard(environment: [:])
    #expect(homeless.hasPrefix("/"))
  }
}
