// The Xcode project can't be opened on Linux, so what Xcode would stumble over is looked for here;
// each check is shown to find what it is there for.

import Foundation
import Testing

@Suite struct XcodeProjectTests {
  private let files = ProjectFiles.on(Repository())
  private let text: String
  private let project: XcodeProject

  init() throws {
    text = try #require(files.text(XcodeProjectReferences.path), "the project is missing")
    project = try XcodeProject(text)
  }

  private func checks(_ text: String) throws -> [String] {
    let project = try XcodeProject(text)
    return XcodeProjectReferences(project: project).findings()
      + XcodeProjectChecks(project: project, files: files).findings()
  }

  @Test func `the project's references resolve and its files are there`() throws {
    for finding in try checks(text) { Issue.record("\(XcodeProjectReferences.path): \(finding)") }
  }

  @Test func `there are two applications, each on its product, each with tests and a scheme`() {
    let applications = project.applications
    #expect(applications.compactMap { $0.text("name") } == ["Livetape", "LivetapeStocks"])
    let products = applications.map { application in
      project.objects("packageProductDependencies", of: application).compactMap {
        $0.text("productName")
      }
    }
    #expect(products == [["PhoneApp"], ["StocksApp"]])
    for name in applications.compactMap({ $0.text("name") }) {
      let path = "Apps/Livetape.xcodeproj/xcshareddata/xcschemes/\(name).xcscheme"
      guard let data = files.content(path), let scheme = XcodeProjectScheme(data) else {
        Issue.record("\(path) is no scheme")
        continue
      }
      for finding in scheme.findings(in: project, application: name) { Issue.record("\(finding)") }
    }
  }

  @Test func `links with the scheme stocks open the SwiftUI app and no other`() throws {
    let checks = XcodeProjectChecks(project: project, files: files)
    #expect(project.applications.map { checks.schemes(of: $0) } == [["stocks"], []])
    let link = try #require(files.text("Sources/AppState/Links/DeepLink.swift"))
    #expect(link.contains("public static let scheme = \"stocks\""))
  }

  @Test func `the workspace inside the project points at it`() throws {
    let path = "Apps/Livetape.xcodeproj/project.xcworkspace/contents.xcworkspacedata"
    #expect(try #require(files.text(path)).contains("location = \"self:\""))
  }

  @Test(arguments: [
    ("objectVersion = 77;", "objectVersion = 56;", "objectVersion is not 77"),
    ("mainGroup = 11FE", "mainGroup = 21FE", "which is not there"),
    ("productRef = 11FE7A9E0000000000000012", "productRef = 11FE7A9E0000000000000029", "not link"),
    ("productName = PhoneApp;", "productName = TabletApp;", "no library product TabletApp"),
    ("relativePath = ..;", "relativePath = ../..;", "not the folder above"),
    ("\t\t\tpath = Livetape;", "\t\t\tpath = Elsewhere;", "no folder with Swift files"),
    ("INFOPLIST_FILE = Livetape/Info.plist", "INFOPLIST_FILE = Livetape/Other.plist", "Info.plist"),
    ("\t\t\t\tInfo.plist,\n", "", "copied as a resource"),
    ("IPHONEOS_DEPLOYMENT_TARGET = 17.0", "IPHONEOS_DEPLOYMENT_TARGET = 26.0", "not iOS 17"),
    ("livetape.LivetapeStocks;", "livetape.Livetape;", "share a bundle identifier"),
    ("io.github.livetape.Livetape;", "\"Live tape\";", "no bundle identifier"),
    ("/Livetape.app/$(", "/Other.app/$(", "not loaded into"),
    ("APPICON_NAME = AppIcon", "APPICON_NAME = Missing", "no icon of 1024 px"),
    ("COLOR_NAME = AccentColor", "COLOR_NAME = Missing", "no accent colour"),
    (
      "INFOPLIST_KEY_UILaunchScreen_Generation = YES",
      "INFOPLIST_KEY_UIApplicationSceneManifest_Generation = YES", "allows several windows"
    ),
    ("SYMBOL_FRAMEWORKS = UIKit", "SYMBOL_FRAMEWORKS = \"SwiftUI UIKit\"", "gets SwiftUI"),
    ("isa = PBXSourcesBuildPhase", "isa = PBXOtherBuildPhase", "a kind that no check knows"),
    ("productType = ", "productKind = ", "has no productType"),
    ("defaultConfigurationName = Release", "defaultConfigurationName = Other", "Debug and Release"),
    ("targets = (\n", "others = (\n", "has no targets"),
    (
      "objects = {\n",
      "objects = {\nABCDEFABCDEFABCDEFABCDEF = {isa = PBXGroup; children = (); sourceTree = a;};\n",
      "is used by nothing"
    ),
  ])
  func `what Xcode would stumble over is found`(
    good: String, bad: String, expected: String
  ) throws {
    let broken = text.replacingOccurrences(of: good, with: bad)
    try #require(broken != text, "the sample \(good) is no longer in the project")
    let findings = try checks(broken)
    #expect(findings.contains { $0.contains(expected) }, "\(findings)")
  }

  /// What is found where both property lists say something else.
  private func findings(replacing good: String, by bad: String) -> [String] {
    var files = files
    let content = files.content
    files.content = { path in
      guard path.hasSuffix("Info.plist"), let text = content(path) else { return content(path) }
      return Data(
        String(decoding: text, as: UTF8.self).replacingOccurrences(of: good, with: bad).utf8)
    }
    return XcodeProjectChecks(project: project, files: files).findings()
  }

  @Test(arguments: [
    "<key>NSAllowsArbitraryLoads</key><true/>",
    "<key>NSExceptionDomains</key><dict><key>example.org</key><dict/></dict>",
  ])
  func `a transport exception beyond the local network is found`(exception: String) {
    let findings = findings(
      replacing: "<key>NSAllowsLocalNetworking</key>\n\t\t<true/>", by: exception)
    #expect(findings.filter { $0.contains("beyond the local network") }.count == 2)
  }

  @Test(arguments: [
    ("Scenes</key>\n\t\t<false/>", "Scenes</key>\n\t\t<true/>", 2, "manifest of one window"),
    ("UIApplicationSceneManifest", "Other", 2, "manifest of one window"),
    ("UISceneConfigurations", "Other", 1, "without its delegate"),
    (".SceneDelegate", ".Nobody", 1, "without its delegate"),
  ])
  func `a second window, or one that nobody makes, is found`(
    good: String, bad: String, count: Int, expected: String
  ) {
    let findings = findings(replacing: good, by: bad)
    #expect(findings.filter { $0.contains(expected) }.count == count, "\(findings)")
  }

  @Test func `a scheme that names a target of the past is found`() throws {
    let path = "Apps/Livetape.xcodeproj/xcshareddata/xcschemes/Livetape.xcscheme"
    let text = try #require(files.text(path))
    for (good, bad) in [
      ("BlueprintName = \"Livetape\"", "BlueprintName = \"Old\""),
      ("BuildableName = \"LivetapeTests.xctest\"", "BuildableName = \"Old.xctest\""),
      ("BlueprintIdentifier = \"11FE", "BlueprintIdentifier = \"21FE"),
    ] {
      let broken = text.replacingOccurrences(of: good, with: bad)
      let scheme = try #require(XcodeProjectScheme(Data(broken.utf8)))
      #expect(!scheme.findings(in: project, application: "Livetape").isEmpty)
    }
    #expect(XcodeProjectScheme(Data(text.dropLast(20).utf8)) == nil)
  }

  @Test func `a picture of another size or with alpha is no icon`() {
    let header: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13]
    func image(_ size: [UInt8], colourType: UInt8) -> PortableNetworkGraphic? {
      let rest: [UInt8] = [8, colourType, 0, 0, 0, 0, 0, 0, 0]
      return PortableNetworkGraphic(Data(header + Array("IHDR".utf8) + size + size + rest))
    }
    let icon = PortableNetworkGraphic(width: 1024, height: 1024, hasAlpha: false)
    #expect(image([0, 0, 4, 0], colourType: 2) == icon)
    #expect(image([0, 0, 2, 0], colourType: 2) != icon)
    #expect(image([0, 0, 4, 0], colourType: 6) != icon)
    #expect(PortableNetworkGraphic(Data("GIF89a".utf8)) == nil)
  }
}

@Suite struct XcodeProjectParserTests {
  @Test func `texts, lists, tables and comments are read`() throws {
    let text = "// !$*UTF8*$!\n{ a = b; \"c d\" = ( e, \"f\\\"g\", ); /* note */ h = { i = (); }; }"
    #expect(
      try XcodeProjectParser.parse(text)
        == .table([
          "a": .text("b"), "c d": .list([.text("e"), .text("f\"g")]),
          "h": .table(["i": .list([])]),
        ]))
  }

  @Test(arguments: [
    "", "{", "{ a }", "{ a = b }", "{ a = ; }", "( a b )", "\"open", "{ a = b; } c", "/* open",
    "{ a = (b; }", "{ = b; }",
  ])
  func `what is no property list is refused`(text: String) {
    #expect(throws: ProjectSyntaxError.self) { try XcodeProjectParser.parse(text) }
  }

  @Test func `a key that stands twice is refused`() {
    #expect(throws: ProjectSyntaxError.repeatedKey("a")) {
      try XcodeProjectParser.parse("{ a = 1; a = 2; }")
    }
  }

  @Test func `nesting without end is refused`() {
    #expect(throws: ProjectSyntaxError.tooDeep) {
      try XcodeProjectParser.parse(String(repeating: "(", count: 100_000))
    }
  }

  @Test func `every project cut short is refused, none traps`() {
    let text = "{ a = ( \"b\\\"c\", d ); /* e */ f = { g = h; }; }"
    for count in 0..<text.utf8.count {
      let cut = String(decoding: Array(text.utf8).prefix(count), as: UTF8.self)
      #expect(throws: ProjectSyntaxError.self) { try XcodeProjectParser.parse(cut) }
    }
  }
}
