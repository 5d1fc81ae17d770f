// The objects of an Xcode project and the files around them, as the checks need them.

import Foundation

/// An Xcode project's objects.
struct XcodeProject {
  /// One object.
  struct Object {
    let id: String
    let fields: [String: ProjectValue]

    var isa: String { fields["isa"]?.text ?? "" }
    /// What to call it in a finding.
    var name: String {
      let name = fields["name"]?.text ?? fields["path"]?.text ?? fields["productName"]?.text
      return name.map { "\(isa) \"\($0)\"" } ?? "\(isa) \(id)"
    }

    func text(_ key: String) -> String? { fields[key]?.text }
    func texts(_ key: String) -> [String] { fields[key]?.texts ?? [] }
  }

  let objectVersion: String?
  let rootObject: String?
  let objects: [String: Object]

  /// Reads a project file; throws what its syntax or its outline lacks.
  init(_ text: String) throws(ProjectSyntaxError) {
    guard let top = try XcodeProjectParser.parse(text).table,
      let table = top["objects"]?.table
    else { throw .expected("a table with objects", at: 0) }
    objectVersion = top["objectVersion"]?.text
    rootObject = top["rootObject"]?.text
    var objects: [String: Object] = [:]
    for (id, value) in table {
      guard let fields = value.table else { throw .expected("an object at \(id)", at: 0) }
      objects[id] = Object(id: id, fields: fields)
    }
    self.objects = objects
  }

  /// The objects of a kind, by id.
  func all(_ isa: String) -> [Object] {
    objects.values.filter { $0.isa == isa }.sorted { $0.id < $1.id }
  }

  func object(_ id: String?) -> Object? { id.flatMap { objects[$0] } }

  /// The objects that a field names, as far as they exist.
  func objects(_ key: String, of object: Object) -> [Object] {
    object.texts(key).compactMap { objects[$0] }
  }

  var applications: [Object] {
    all("PBXNativeTarget").filter {
      $0.text("productType") == "com.apple.product-type.application"
    }
  }

  /// The settings of an object's configurations, by their names.
  func settings(of object: Object) -> [String: [String: ProjectValue]] {
    guard let list = self.object(object.text("buildConfigurationList")) else { return [:] }
    var settings: [String: [String: ProjectValue]] = [:]
    for configuration in objects("buildConfigurations", of: list) {
      settings[configuration.text("name") ?? ""] = configuration.fields["buildSettings"]?.table
    }
    return settings
  }

  /// The values that a setting has in an object's configurations, without repetition.
  func setting(_ key: String, of object: Object) -> Set<String> {
    Set(settings(of: object).values.compactMap { $0[key]?.text })
  }
}

/// The files that a project lies among; a test hands in its own.
struct ProjectFiles {
  /// A file's content, by its path from the root of the repository; nil where there is none.
  var content: (String) -> Data?
  /// The paths below a folder, from that folder.
  var below: (String) -> [String]

  func text(_ path: String) -> String? { content(path).map { String(decoding: $0, as: UTF8.self) } }

  /// The files of a repository.
  static func on(_ repository: Repository) -> ProjectFiles {
    let (root, paths) = (repository.root, repository.paths)
    return ProjectFiles(
      content: { try? Data(contentsOf: root.appendingPathComponent($0)) },
      below: { folder in
        paths.filter { $0.hasPrefix(folder + "/") }.map { String($0.dropFirst(folder.count + 1)) }
      })
  }
}
