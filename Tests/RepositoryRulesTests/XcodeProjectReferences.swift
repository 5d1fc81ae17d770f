// Xcode opens a project with a dangling reference as "damaged", or silently builds less than it
// says. So: every reference resolves to an object of the right kind, and every object is used.

/// Checks of the objects among themselves.
struct XcodeProjectReferences {
  static let path = "Apps/Livetape.xcodeproj/project.pbxproj"

  /// What each kind of object must have, and of which kinds the objects are that a field names;
  /// fields without kinds hold plain values.
  private static let required: [String: [String: Set<String>]] = [
    "PBXProject": [
      "attributes": [], "buildConfigurationList": ["XCConfigurationList"],
      "developmentRegion": [], "knownRegions": [], "mainGroup": ["PBXGroup"],
      "packageReferences": ["XCLocalSwiftPackageReference"], "preferredProjectObjectVersion": [],
      "productRefGroup": ["PBXGroup"], "projectDirPath": [], "projectRoot": [],
      "targets": ["PBXNativeTarget"],
    ],
    "PBXNativeTarget": [
      "buildConfigurationList": ["XCConfigurationList"],
      "buildPhases": [
        "PBXSourcesBuildPhase", "PBXFrameworksBuildPhase", "PBXResourcesBuildPhase",
      ],
      "buildRules": ["PBXBuildRule"], "dependencies": ["PBXTargetDependency"],
      "fileSystemSynchronizedGroups": ["PBXFileSystemSynchronizedRootGroup"], "name": [],
      "packageProductDependencies": ["XCSwiftPackageProductDependency"], "productName": [],
      "productReference": ["PBXFileReference"], "productType": [],
    ],
    "PBXFileSystemSynchronizedRootGroup": ["path": [], "sourceTree": []],
    "PBXFileSystemSynchronizedBuildFileExceptionSet": [
      "membershipExceptions": [], "target": ["PBXNativeTarget"],
    ],
    "PBXGroup": [
      "children": ["PBXFileSystemSynchronizedRootGroup", "PBXGroup", "PBXFileReference"],
      "sourceTree": [],
    ],
    "PBXFileReference": ["explicitFileType": [], "path": [], "sourceTree": []],
    "PBXSourcesBuildPhase": ["buildActionMask": [], "files": ["PBXBuildFile"]],
    "PBXResourcesBuildPhase": ["buildActionMask": [], "files": ["PBXBuildFile"]],
    "PBXFrameworksBuildPhase": ["buildActionMask": [], "files": ["PBXBuildFile"]],
    "PBXBuildFile": ["productRef": ["XCSwiftPackageProductDependency"]],
    "PBXTargetDependency": [
      "target": ["PBXNativeTarget"], "targetProxy": ["PBXContainerItemProxy"],
    ],
    "PBXContainerItemProxy": [
      "containerPortal": ["PBXProject"], "proxyType": [],
      "remoteGlobalIDString": ["PBXNativeTarget"], "remoteInfo": [],
    ],
    "XCLocalSwiftPackageReference": ["relativePath": []],
    "XCSwiftPackageProductDependency": ["productName": []],
    "XCConfigurationList": [
      "buildConfigurations": ["XCBuildConfiguration"], "defaultConfigurationName": [],
    ],
    "XCBuildConfiguration": ["buildSettings": [], "name": []],
  ]

  /// Fields that an object may have beside, with their kinds.
  private static let optional: [String: [String: Set<String>]] = [
    "PBXFileSystemSynchronizedRootGroup": [
      "exceptions": ["PBXFileSystemSynchronizedBuildFileExceptionSet"]
    ]
  ]

  let project: XcodeProject

  /// What is wrong, in no particular order.
  func findings() -> [String] {
    var findings: [String] = []
    if project.objectVersion != "77" { findings.append("objectVersion is not 77, Xcode 16's") }
    for object in project.objects.values {
      if object.id.count != 24 || !object.id.allSatisfy(isUpperHex) {
        findings.append("\(object.name): \(object.id) is no id of 24 hex digits")
      }
      findings += fields(of: object) + dangling(in: object)
    }
    return findings + unreachable()
  }

  private func isUpperHex(_ character: Character) -> Bool {
    "0123456789ABCDEF".contains(character)
  }

  private func fields(of object: XcodeProject.Object) -> [String] {
    guard let required = Self.required[object.isa] else {
      return ["\(object.name): \(object.isa) is a kind that no check knows"]
    }
    var findings = required.keys.filter { object.fields[$0] == nil }
      .map { "\(object.name) has no \($0)" }
    let kinds = required.merging(Self.optional[object.isa] ?? [:]) { first, _ in first }
    for (key, allowed) in kinds where !allowed.isEmpty {
      for id in object.texts(key) {
        guard let found = project.object(id) else {
          findings.append("\(object.name): \(key) names \(id), which is not there")
          continue
        }
        if !allowed.contains(found.isa) {
          findings.append("\(object.name): \(key) names a \(found.isa)")
        }
      }
    }
    return findings
  }

  /// Anything that looks like an id, wherever it stands, must be one.
  private func dangling(in object: XcodeProject.Object) -> [String] {
    ids(in: .table(object.fields)).filter { project.objects[$0] == nil }
      .map { "\(object.name) mentions \($0), which is not there" }
  }

  private func ids(in value: ProjectValue) -> [String] {
    switch value {
    case .text(let text): text.count == 24 && text.allSatisfy(isUpperHex) ? [text] : []
    case .list(let list): list.flatMap(ids)
    case .table(let table):
      table.keys.flatMap { ids(in: .text($0)) } + table.values.flatMap(ids)
    }
  }

  private func unreachable() -> [String] {
    guard let root = project.object(project.rootObject), root.isa == "PBXProject" else {
      return ["rootObject names no PBXProject"]
    }
    var (seen, waiting) = (Set([root.id]), [root])
    while let object = waiting.popLast() {
      for id in ids(in: .table(object.fields)) where !seen.contains(id) {
        seen.insert(id)
        if let next = project.object(id) { waiting.append(next) }
      }
    }
    return project.objects.values.filter { !seen.contains($0.id) }
      .map { "\($0.name) is used by nothing" }
  }
}
