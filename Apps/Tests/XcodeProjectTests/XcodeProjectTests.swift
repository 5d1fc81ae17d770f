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
    #expect(folders.count == 11)
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
    let schemes = [
      "Livetape": "Livetape", "Stocks": "LivetapeStocks", "Exchange": "Exchange",
      "Order Book": "OrderBook", "Product": "Product", "Tracker": "Tracker",
    ]
    #expect(
      targets
        == Set(schemes.values).union([
          "LivetapeTests", "LivetapeUITests", "LivetapeStocksTests",
        ]))
    for (name, app) in schemes {
      let scheme = try String(
        contentsOf: Self.root.appending(
          path: "Apps/Livetape.xcodeproj/xcshareddata/xcschemes/\(name).xcscheme"), encoding: .utf8)
      for match in scheme.matches(
        of: /BlueprintIdentifier = "([0-9A-F]{24})"\s+BuildableName = "(\w+)\.\w+"/)
      {
        let target = objects[String(match.1)]
        #expect(target?["isa"] as? String == "PBXNativeTarget")
        #expect(target?["name"] as? String == String(match.2))
      }
      #expect(scheme.contains("BuildableName = \"\(app).app\""))
      #expect(scheme.contains("Tests\"") == app.hasPrefix("Livetape"))
      #expect(!scheme.contains("CommandLineArgument"), "the app asks for its markets itself")
    }
  }

  @Test func `Livetape's scheme runs the package's tests that need no stand-in`() throws {
    let scheme = try String(
      contentsOf: Self.root.appending(
        path: "Apps/Livetape.xcodeproj/xcshareddata/xcschemes/Livetape.xcscheme"), encoding: .utf8)
    let tests = scheme.split(separator: "<BuildableReference").filter {
      $0.contains("ReferencedContainer = \"container:..\"")
    }
    let names = tests.flatMap { $0.matches(of: /Blueprint\w+ = "(\w+)"/).map { String($0.1) } }
    #expect(names == ["PhoneStoresTests", "PhoneStoresTests"])
    let manifest = try String(
      contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
    let shared = try #require(manifest.split(separator: "dependencies.append(").first)
    #expect(shared.contains("name: \"PhoneStoresTests\""))
  }

  @Test(arguments: [
    ("Exchange", "exchange"), ("OrderBook", "orderBook"), ("Product", "product"),
    ("Tracker", "tracker"),
  ])
  func `a brief's app is one scene of the shared code, with the shared icon`(
    app: String, scope: String
  ) throws {
    let shell = try String(
      contentsOf: Self.root.appending(path: "Apps/Briefs/\(app)/\(app)App.swift"), encoding: .utf8)
    #expect(shell.contains("LivetapeScene(.\(scope))"))
    #expect(shell.split(separator: "\n").count <= 15)
    let target = try #require(all("PBXNativeTarget").first { $0["name"] as? String == app })
    let groups = try #require(target["fileSystemSynchronizedGroups"] as? [String])
    #expect(
      groups.compactMap { objects[$0]?["path"] as? String } == ["Briefs/\(app)", "Assets", "Texts"])
  }

  @Test func `each app has the texts in English, German and Dutch`() throws {
    let root = try #require(all("PBXProject").first)
    #expect(root["knownRegions"] as? [String] == ["en", "Base", "de", "nl"])
    for app in all("PBXNativeTarget")
    where app["productType"] as? String == "com.apple.product-type.application" {
      let groups = try #require(app["fileSystemSynchronizedGroups"] as? [String])
      #expect(groups.contains { objects[$0]?["path"] as? String == "Texts" })
    }
    #expect(isThere("Apps/Texts/Localizable.xcstrings"))
  }

  private func list(_ path: String) throws -> [String: Any] {
    let data = try Data(contentsOf: Self.root.appending(path: "Apps/\(path)"))
    let list = try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
    return try #require(list as? [String: Any])
  }

  @Test(arguments: ["Livetape", "LivetapeStocks", "Briefs"])
  func `an app has one window, no transport exception and only exempt encryption`(
    app: String
  ) throws {
    let list = try list("\(app)/Info.plist")
    let manifest = try #require(list["UIApplicationSceneManifest"] as? [String: Any])
    #expect(manifest["UIApplicationSupportsMultipleScenes"] as? Bool == false)
    #expect(list["NSAppTransportSecurity"] == nil, "sockets below ATS don't need one")
    #expect(list["NSLocalNetworkUsageDescription"] is String)
    #expect(list["ITSAppUsesNonExemptEncryption"] as? Bool == false)
  }

  @Test(arguments: ["Assets", "LivetapeStocks"])
  func `an app declares its use of settings and has an icon of 1024 pixels`(
    folder: String
  ) throws {
    let privacy = try list("\(folder)/PrivacyInfo.xcprivacy")
    let uses = try #require(privacy["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
    #expect(
      uses.compactMap { $0["NSPrivacyAccessedAPIType"] as? String }
        == ["NSPrivacyAccessedAPICategoryUserDefaults"])
    #expect(privacy["NSPrivacyTracking"] as? Bool == false)
    let icons = Self.root.appending(path: "Apps/\(folder)/Assets.xcassets/AppIcon.appiconset")
    let contents = try String(
      contentsOf: icons.appending(path: "Contents.json"), encoding: .utf8)
    for name in ["AppIcon.png", "AppIcon-dark.png", "AppIcon-tinted.png"] {
      let icon = try Data(contentsOf: icons.appending(path: name))
      // Width and height of the PNG's header.
      #expect(Array(icon[16..<24]) == [0, 0, 4, 0, 0, 0, 4, 0])
      #expect(contents.contains("\"\(name)\""))
    }
  }

  @Test func `each target has an identifier, and the UIKit app no symbols for SwiftUI`() {
    let settings = all("XCBuildConfiguration").compactMap { $0["buildSettings"] as? [String: Any] }
    let identifiers = settings.compactMap { $0["PRODUCT_BUNDLE_IDENTIFIER"] as? String }
    #expect(identifiers.count == 18 && Set(identifiers).count == 9, "in Debug and in Release")
    for target in settings where target["INFOPLIST_FILE"] as? String == "LivetapeStocks/Info.plist"
    {
      #expect(
        target["ASSETCATALOG_COMPILER_GENERATE_ASSET_SYMBOL_FRAMEWORKS"] as? String == "UIKit")
    }
  }

  @Test func `each app has an information list, and only the tracker opens links`() throws {
    func types(_ app: String) throws -> Any? { try list("\(app)/Info.plist")["CFBundleURLTypes"] }
    let schemes = try #require(try types("Livetape") as? [[String: Any]])
    #expect(
      schemes.compactMap { $0["CFBundleURLSchemes"] as? [String] } == [["stocks", "livetape"]])
    #expect(try types("LivetapeStocks") == nil)
    #expect(try types("Briefs") == nil)
    let files = all("XCBuildConfiguration").compactMap {
      ($0["buildSettings"] as? [String: Any])?["INFOPLIST_FILE"] as? String
    }
    #expect(files.count { $0 == "Livetape/Info.plist" } == 4, "Livetape's and Tracker's")
    for file in files { #expect(isThere("Apps/\(file)")) }
  }

  @Test func `the briefs' pages name only files that exist`() throws {
    let folder = Self.root.appending(path: "docs/briefs")
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(pages.count == 6)
    for page in pages {
      let text = try String(contentsOf: folder.appending(path: page), encoding: .utf8)
      for match in text.matches(of: /`((?:Apps|Sources|Tests|docs)\/[^`]+)`/) {
        #expect(isThere(String(match.1)), "\(page): \(match.1)")
      }
    }
  }

  @Test func `a later compiler's warnings fail only the workflow, and its betas are not used`()
    throws
  {
    let files = ["Apps/Livetape.xcodeproj/project.pbxproj", ".github/workflows/ci.yml"]
    let texts = try files.map {
      try String(contentsOf: Self.root.appending(path: $0), encoding: .utf8)
    }
    #expect(!texts[0].contains("TREAT_WARNINGS_AS_ERRORS"))
    #expect(texts[1].contains("SWIFT_TREAT_WARNINGS_AS_ERRORS=YES"))
    let choices = texts[1].components(separatedBy: "ls -d /Applications/Xcode*.app | ").dropFirst()
    #expect(choices.count == 2 && choices.allSatisfy { $0.hasPrefix("grep -vi beta | ") })
  }

  /// Views store `async` closures, which crash on iOS 17 if they run in their caller's isolation.
  @Test func `closures keep Swift's isolation`() throws {
    for file in ["Package.swift", "Apps/Livetape.xcodeproj/project.pbxproj"] {
      let text = try String(contentsOf: Self.root.appending(path: file), encoding: .utf8)
      for setting in ["NonisolatedNonsendingByDefault", "APPROACHABLE_CONCURRENCY"] {
        #expect(!text.contains(setting), "\(file): \(setting)")
      }
    }
  }

  /// Apple's technote TN3211: there `@State` is a macro, and all builders are one.
  @Test func `views use nothing that Xcode 27 no longer compiles`() throws {
    let folder = Self.root.appending(path: "Apps/PhoneApp").path
    let files = try #require(FileManager.default.enumerator(atPath: folder))
      .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
    #expect(files.count > 40)
    for file in files {
      let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
      #expect(!text.contains(/\bState\(|\bTupleView\b|#available/), "\(file)")
      #expect(!text.contains(/\.(background|overlay)\(Color/), "\(file): its closure form")
      for state in text.matches(of: /@State (\w+ \w+)/) where state.1 != "private var" {
        Issue.record("\(file): @State \(state.1)")
      }
    }
  }

  @Test func `Xcode lists the shared schemes and makes none for the package's products`() throws {
    let settings = try list(
      "Livetape.xcodeproj/project.xcworkspace/xcshareddata/WorkspaceSettings.xcsettings")
    let key = "IDEWorkspaceSharedSettings_AutocreateContextsIfNeeded"
    #expect(settings[key] as? Bool == false)
  }

  @Test func `the apps are built for iOS 17`() {
    let settings = all("XCBuildConfiguration").compactMap { $0["buildSettings"] as? [String: Any] }
    let versions = settings.compactMap { $0["IPHONEOS_DEPLOYMENT_TARGET"] as? String }
    #expect(!versions.isEmpty)
    #expect(Set(versions) == ["17.0"])
  }
}
