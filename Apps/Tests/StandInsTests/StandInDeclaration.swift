/// A public declaration of a stand-in, from the compiler's symbol graph; each overload is one.
struct StandInDeclaration: Hashable {
  /// "View.font(_:)".
  let name: String
  /// As the compiler prints it, on one line; a type with its conformances.
  let signature: String
}

struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    struct Identifier: Decodable { let precise: String }
    struct Fragment: Decodable { let spelling: String }
    let identifier: Identifier
    let pathComponents: [String]
    let declarationFragments: [Fragment]
  }

  struct Relationship: Decodable {
    let kind: String
    let source: String
    let target: String
    let targetFallback: String?
  }

  let symbols: [Symbol]
  let relationships: [Relationship]

  var declarations: [StandInDeclaration] {
    let names = Dictionary(
      symbols.map { ($0.identifier.precise, $0.pathComponents.joined(separator: ".")) }
    ) { first, _ in first }
    var bases: [String: Set<String>] = [:]
    for relation in relationships
    where relation.kind == "conformsTo" || relation.kind == "inheritsFrom" {
      guard let base = names[relation.target] ?? relation.targetFallback else { continue }
      bases[relation.source, default: []].insert(String(base.split(separator: ".").last ?? ""))
    }
    return symbols.map { symbol in
      let text = symbol.declarationFragments.map(\.spelling).joined()
        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
      // An implicit conformance, not a written one.
      let own = bases[symbol.identifier.precise, default: []].subtracting(["SendableMetatype"])
      let suffix = own.isEmpty ? "" : " : " + own.sorted().joined(separator: ", ")
      return StandInDeclaration(
        name: symbol.pathComponents.joined(separator: "."), signature: text + suffix)
    }
  }
}
