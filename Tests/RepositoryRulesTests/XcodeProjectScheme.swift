// A shared scheme is what `xcodebuild -scheme` builds: it names targets by id and by name, and both
// must be the project's.

import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The targets that a scheme refers to.
struct XcodeProjectScheme {
  /// One reference.
  struct Reference: Hashable {
    let id: String
    let target: String
    let product: String
    let container: String
    /// The action around it, such as "TestAction".
    let action: String
  }

  let references: [Reference]

  /// Reads a scheme; nil when it is no well-formed XML.
  init?(_ data: Data) {
    let reader = SchemeReader()
    let parser = XMLParser(data: data)
    parser.delegate = reader
    guard parser.parse(), reader.isWholeScheme else { return nil }
    references = reader.references
  }

  /// What is wrong with the scheme of an application.
  func findings(in project: XcodeProject, application: String) -> [String] {
    var findings: [String] = []
    for reference in references {
      let target = project.object(reference.id)
      let product = target.flatMap { project.object($0.text("productReference"))?.text("path") }
      if target?.isa != "PBXNativeTarget" || target?.text("name") != reference.target
        || product != reference.product || reference.container != "container:Livetape.xcodeproj"
      {
        findings.append("scheme \(application) names a target that is not there: \(reference)")
      }
    }
    let wanted = [
      "BuildAction": application, "LaunchAction": application, "ProfileAction": application,
      "TestAction": application + "Tests",
    ]
    for (action, target) in wanted {
      if references.filter({ $0.action == action }).map(\.target) != [target] {
        findings.append("scheme \(application): \(action) is not about \(target)")
      }
    }
    return findings
  }
}

/// Collects references while the XML is read.
private final class SchemeReader: NSObject, XMLParserDelegate {
  var references: [XcodeProjectScheme.Reference] = []
  private var path: [String] = []
  private var isScheme = false

  /// The parser on Linux does not mind a text that ends too early.
  var isWholeScheme: Bool { isScheme && path.isEmpty }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String] = [:]
  ) {
    if path.isEmpty { isScheme = name == "Scheme" }
    path.append(name)
    guard name == "BuildableReference" else { return }
    references.append(
      XcodeProjectScheme.Reference(
        id: attributes["BlueprintIdentifier"] ?? "", target: attributes["BlueprintName"] ?? "",
        product: attributes["BuildableName"] ?? "",
        container: attributes["ReferencedContainer"] ?? "",
        action: path.first { $0.hasSuffix("Action") } ?? ""))
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
    qualifiedName: String?
  ) {
    path.removeLast()
  }
}
