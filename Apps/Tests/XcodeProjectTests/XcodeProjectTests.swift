import Foundation
import Testing

@Suite struct XcodeProjectTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardized
  private let project: [String: Any]
  private let objects: [String: [String: Any]]

  init() throws {
    let file = Self.root.appending(path: "Apps/Livetape.xcodeproj/project.pbxproj")
    let list = try PropertyListSerialization.propertyList(
      from: try Data(contentsOf: file), options: [], format: nil)
    project = try #require(list as? [String: Any])
    objects = try #require(project["objects"] as? [String: [String: Any]])
  }

  private func all(_ kind: String) -> [[String: Any]] {
    objects.values.filter { $0["isa"] as? String == kind }
  }

  private func isThere(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: Self.root.appending(path: path).path)
  }

  @Test func `every reference names an object of the project`() throws {
    let identifier = /[0-9A-F]{24}/
    func check(_ value: Any, at place: String) {
      switch value {
      case let text as String where text.wholeMatch(of: identifier) != nil:
        #expect(objects[text] != nil, "\(place) names \(text), which is not there")
      case let list as [Any]: for element in list { check(element, at: place) }
      case let table as [String: Any]: for (key, element) in table { check(element, at: key) }
      default: break
      }
    }
    check(project["rootObject"] ?? "", at: "rootObject")
    for (name, object) in objects { check(object, at: name) }
    #expect(objects.count > 40)
  }

  @Test func `every folder of the project is there`() {
    let folders = all("PBXFileSystemSynchronizedRootGroup").compactMap { $0["path"] as? String }
    #expect(folders.count == 4)
    for folder in folders { #expect(isThere("Apps/\(folder)"), "\(folder)") }
  }

  @Test func `each app links its product of the package and has tests and a scheme`() throws {
    let manifest = try String(
      contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
    let products = all("XCSwiftPackageProductDependency").compactMap {
      $0["productName"] as? String
    }
    #expect(Set(products) == ["PhoneApp", "StocksApp"])
    for product in products { #expect(manifest.contains(".library(name: \"\(product)\"")) }
    let targets = Set(all("PBXNativeTarget").compactMap { $0["name"] as? String })
    #expect(targets == ["Livetape", "LivetapeTests", "LivetapeStocks", "LivetapeStocksTests"])
    for app in ["Livetape", "LivetapeStocks"] {
      let scheme = try String(
        contentsOf: Self.root.appending(
          path: "Apps/Livetape.xcodeproj/xcshareddata/xcschemes/\(app).xcscheme"), encoding: .utf8)
      for match in scheme.matches(of: /BlueprintIdentifier = "([0-9A-F]{24})"/) {
        #expect(objects[String(match.1)]?["isa"] as? String == "PBXNativeTarget")
      }
      #expect(scheme.contains("BlueprintName = \"\(app)Tests\""))
      #expect(!scheme.contains("CommandLineArgument"), "the app asks for its markets itself")
    }
  }

  @Test func `each app has an information list, and only the tracker opens links`() throws {
    func list(_ app: String) throws -> [String: Any] {
      let data = try Data(contentsOf: Self.root.appending(path: "Apps/\(app)/Info.plist"))
      let list = try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
      return try #require(list as? [String: Any])
    }
    let types = try #require(try list("Livetape")["CFBundleURLTypes"] as? [[String: Any]])
    #expect(types.compactMap { $0["CFBundleURLSchemes"] as? [String] } == [["stocks"]])
    #expect(try list("LivetapeStocks")["CFBundleURLTypes"] == nil)
  }

  @Test func `the apps are built for iOS 17`() {
    let settings = all("XCBuildConfiguration").compactMap { $0["buildSettings"] as? [String: Any] }
    let versions = settings.compactMap { $0["IPHONEOS_DEPLOYMENT_TARGET"] as? String }
    #expect(!versions.isEmpty)
    #expect(Set(versions) == ["17.0"])
  }
}
