// What an Xcode project promises about the files around it: folders, property lists, icons, schemes
// and the package's products. Nothing here can run Xcode, so each promise is checked by itself.

import Foundation

/// Checks of a project against its files.
struct XcodeProjectChecks {
  /// The folder that holds the project.
  static let folder = "Apps"

  let project: XcodeProject
  let files: ProjectFiles

  /// What is wrong.
  func findings() -> [String] {
    let targets = project.all("PBXNativeTarget")
    return targets.flatMap { configurations($0) + folders($0) + links($0) }
      + project.applications.flatMap { propertyList($0) + catalogue($0) }
      + package() + deployment() + identifiers(targets)
      + targets.filter { !project.applications.map(\.id).contains($0.id) }.flatMap(testHost)
  }

  private func path(_ name: String) -> String { "\(Self.folder)/\(name)" }

  /// Each list has the two configurations that every other has, and a default among them.
  private func configurations(_ target: XcodeProject.Object) -> [String] {
    guard Set(project.settings(of: target).keys) == ["Debug", "Release"],
      let list = project.object(target.text("buildConfigurationList")),
      list.text("defaultConfigurationName") == "Release"
    else { return ["\(target.name) needs Debug and Release, Release by default"] }
    return []
  }

  private func folders(_ target: XcodeProject.Object) -> [String] {
    let groups = project.objects("fileSystemSynchronizedGroups", of: target)
    if groups.isEmpty { return ["\(target.name) has no folder of sources"] }
    return groups.compactMap { group in
      guard let folder = group.text("path"),
        files.below(path(folder)).contains(where: { $0.hasSuffix(".swift") })
      else { return "\(group.name) is no folder with Swift files" }
      return nil
    }
  }

  /// A product is linked when target and frameworks phase agree about it.
  private func links(_ target: XcodeProject.Object) -> [String] {
    let wanted = Set(target.texts("packageProductDependencies"))
    let phases = project.objects("buildPhases", of: target)
    let linked = phases.filter { $0.isa == "PBXFrameworksBuildPhase" }
      .flatMap { project.objects("files", of: $0) }.compactMap { $0.text("productRef") }
    var findings: [String] = []
    if wanted != Set(linked) { findings.append("\(target.name) does not link what it depends on") }
    if Set(phases.map(\.isa)).count != 3 || phases.count != 3 {
      findings.append("\(target.name) needs one phase each for sources, frameworks, resources")
    }
    let isApplication = project.applications.contains { $0.id == target.id }
    if isApplication, wanted.isEmpty { findings.append("\(target.name) links no product") }
    return findings
  }

  private func package() -> [String] {
    let references = project.all("XCLocalSwiftPackageReference")
    guard references.count == 1, references.first?.text("relativePath") == "..",
      let manifest = files.text("Package.swift")
    else { return ["the package is not the folder above"] }
    return project.all("XCSwiftPackageProductDependency").compactMap { product in
      let name = product.text("productName") ?? ""
      guard !manifest.contains(".library(name: \"\(name)\"") else { return nil }
      return "Package.swift has no library product \(name)"
    }
  }

  /// The project's deployment target is the package's, and no target has one of its own.
  private func deployment() -> [String] {
    guard let root = project.object(project.rootObject) else { return [] }
    let key = "IPHONEOS_DEPLOYMENT_TARGET"
    var findings: [String] = []
    if project.setting(key, of: root) != ["17.0"]
      || files.text("Package.swift")?.contains(".iOS(.v17)") != true
    {
      findings.append("the deployment target is not iOS 17 in project and package alike")
    }
    for target in project.all("PBXNativeTarget") where !project.setting(key, of: target).isEmpty {
      findings.append("\(target.name) has a deployment target of its own")
    }
    return findings
  }

  private func identifiers(_ targets: [XcodeProject.Object]) -> [String] {
    let found = targets.map { project.setting("PRODUCT_BUNDLE_IDENTIFIER", of: $0) }
    var findings: [String] = []
    for (target, identifiers) in zip(targets, found) {
      let isGood = identifiers.count == 1 && identifiers.allSatisfy(isBundleIdentifier)
      if !isGood { findings.append("\(target.name) has no bundle identifier, or two") }
    }
    if Set(found).count != found.count { findings.append("two targets share a bundle identifier") }
    return findings
  }

  private func isBundleIdentifier(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count > 2
      && parts.allSatisfy { part in
        !part.isEmpty && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
      }
  }

  /// Unit tests are loaded into the application that they depend on.
  private func testHost(_ target: XcodeProject.Object) -> [String] {
    let host = project.objects("dependencies", of: target).first
      .flatMap { project.object($0.text("target"))?.text("name") }
    guard let host,
      project.setting("TEST_HOST", of: target) == [
        "$(BUILT_PRODUCTS_DIR)/\(host).app/$(BUNDLE_EXECUTABLE_FOLDER_PATH)/\(host)"
      ], project.setting("BUNDLE_LOADER", of: target) == ["$(TEST_HOST)"]
    else { return ["\(target.name) is not loaded into the application it depends on"] }
    return []
  }
}

extension XcodeProjectChecks {
  /// The part of Info.plist that is written by hand: it exists, is kept out of the bundle's
  /// resources, and opens no more of the network than needed.
  private func propertyList(_ target: XcodeProject.Object) -> [String] {
    let paths = project.setting("INFOPLIST_FILE", of: target)
    guard let name = paths.first, paths.count == 1, let data = files.content(path(name)),
      let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
        as? [String: Any]
    else { return ["\(target.name) has no readable Info.plist"] }
    var findings: [String] = []
    let folder = name.split(separator: "/").first.map(String.init) ?? ""
    let exceptions = project.objects("fileSystemSynchronizedGroups", of: target)
      .filter { $0.text("path") == folder }.flatMap { project.objects("exceptions", of: $0) }
      .filter { $0.text("target") == target.id }.flatMap { $0.texts("membershipExceptions") }
    if !exceptions.contains(String(name.dropFirst(folder.count + 1))) {
      findings.append("\(target.name): \(name) would be copied as a resource too")
    }
    if !isNarrow(list["NSAppTransportSecurity"]) {
      findings.append("\(target.name) allows plain connections beyond the local network")
    }
    findings += scenes(list["UIApplicationSceneManifest"], of: target, below: folder)
    return findings
  }

  /// The manifest is written by hand, since Xcode's own allows several windows, which would share
  /// one place in the app; and it names its delegate, unless SwiftUI makes the window.
  private func scenes(
    _ manifest: Any?, of target: XcodeProject.Object, below folder: String
  ) -> [String] {
    let generation = "INFOPLIST_KEY_UIApplicationSceneManifest_Generation"
    guard project.setting(generation, of: target).isSubset(of: ["NO"]) else {
      return ["\(target.name) lets Xcode write a scene manifest, which allows several windows"]
    }
    guard let manifest = manifest as? [String: Any],
      manifest["UIApplicationSupportsMultipleScenes"] as? Bool == false
    else { return ["\(target.name) has no scene manifest of one window"] }
    if isSwiftUI(below: folder), manifest["UISceneConfigurations"] == nil { return [] }
    guard namesSceneDelegate(manifest, below: folder) else {
      return ["\(target.name) has a scene manifest without its delegate"]
    }
    return []
  }

  /// Whether the target's own sources are SwiftUI's.
  private func isSwiftUI(below folder: String) -> Bool {
    files.below(path(folder)).contains { file in
      files.text(path("\(folder)/\(file)"))?.contains("import SwiftUI") == true
    }
  }

  private func isNarrow(_ security: Any?) -> Bool {
    guard let security else { return true }
    guard let security = security as? [String: Any] else { return false }
    let domains = (security["NSExceptionDomains"] as? [String: Any]).map { Array($0.keys) } ?? []
    return Set(security.keys).isSubset(of: ["NSAllowsLocalNetworking", "NSExceptionDomains"])
      && Set(domains).isSubset(of: ["localhost", "127.0.0.1"])
  }

  /// Whether the manifest names a class of the target's own sources and no storyboard.
  private func namesSceneDelegate(_ manifest: [String: Any], below folder: String) -> Bool {
    guard let roles = manifest["UISceneConfigurations"] as? [String: [[String: Any]]],
      let scene = roles["UIWindowSceneSessionRoleApplication"]?.first,
      scene["UISceneStoryboardFile"] == nil,
      let name = scene["UISceneDelegateClassName"] as? String,
      let type = name.split(separator: ".").last, name.hasPrefix("$(PRODUCT_MODULE_NAME).")
    else { return false }
    return files.below(path(folder)).contains { file in
      files.text(path("\(folder)/\(file)"))?.contains("class \(type):") == true
    }
  }

  /// The URL schemes of a target's Info.plist.
  func schemes(of target: XcodeProject.Object) -> [String] {
    guard let name = project.setting("INFOPLIST_FILE", of: target).first,
      let data = files.content(path(name)),
      let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
        as? [String: Any]
    else { return [] }
    return (list["CFBundleURLTypes"] as? [[String: Any]] ?? [])
      .flatMap { $0["CFBundleURLSchemes"] as? [String] ?? [] }
  }

  private func catalogue(_ target: XcodeProject.Object) -> [String] {
    guard
      let folder = project.objects("fileSystemSynchronizedGroups", of: target).first?
        .text("path"),
      let icon = project.setting("ASSETCATALOG_COMPILER_APPICON_NAME", of: target).first,
      let accent = project.setting("ASSETCATALOG_COMPILER_GLOBAL_ACCENT_COLOR_NAME", of: target)
        .first
    else { return ["\(target.name) names no icon or no accent colour"] }
    let assets = path("\(folder)/Assets.xcassets")
    var findings: [String] = []
    // Unless told otherwise, what Xcode makes of the catalogue imports SwiftUI.
    if !isSwiftUI(below: folder),
      project.setting("ASSETCATALOG_COMPILER_GENERATE_ASSET_SYMBOL_FRAMEWORKS", of: target)
        != ["UIKit"]
    {
      findings.append("\(target.name) gets SwiftUI with its catalogue's symbols")
    }
    if files.content("\(assets)/\(accent).colorset/Contents.json") == nil {
      findings.append("\(target.name) has no accent colour \(accent)")
    }
    let set = "\(assets)/\(icon).appiconset"
    guard let data = files.content("\(set)/Contents.json"),
      let contents = try? JSONDecoder().decode(IconContents.self, from: data),
      let name = contents.images.first(where: { $0.size == "1024x1024" })?.filename,
      let image = files.content("\(set)/\(name)")
    else { return findings + ["\(target.name) has no icon of 1024 px"] }
    if PortableNetworkGraphic(image) != .init(width: 1024, height: 1024, hasAlpha: false) {
      findings.append("\(target.name): \(name) is no 1024 × 1024 PNG without alpha")
    }
    return findings
  }
}

/// The catalogue's own list of an icon's images.
private struct IconContents: Decodable {
  struct Image: Decodable {
    var filename: String?
    var size: String?
  }

  var images: [Image]
}

/// What the first chunk of a PNG says.
struct PortableNetworkGraphic: Equatable {
  var width: Int
  var height: Int
  var hasAlpha: Bool

  init(width: Int, height: Int, hasAlpha: Bool) {
    self.width = width
    self.height = height
    self.hasAlpha = hasAlpha
  }

  /// Reads signature and header; nil for anything else.
  init?(_ data: Data) {
    let bytes = Array(data.prefix(33))
    guard bytes.count == 33, bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
      Array(bytes[12..<16]) == Array("IHDR".utf8)
    else { return nil }
    func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 << 8 | Int($1) } }
    // Colour types 4 and 6 carry an alpha channel, which the App Store refuses.
    self.init(width: number(16..<20), height: number(20..<24), hasAlpha: bytes[25] & 4 != 0)
  }
}
