/// A request's `If-None-Match` (RFC 9110, 13.1.2).
package struct EntityTags: Sendable, Equatable {
  /// The maximum length in bytes; longer headers are ignored.
  package static let maximumLength = 1024

  private enum Names: Sendable, Equatable {
    case any
    case these(Set<String>)
  }

  private let names: Names

  /// Parses a header value, nil if the request has none; invalid tags are skipped.
  package init(ifNoneMatch header: String?) {
    guard let header, header.utf8.count <= EntityTags.maximumLength else {
      names = .these([])
      return
    }
    if header.trimmingBlanks == "*" {
      names = .any
      return
    }
    var tags: Set<String> = []
    for element in header.split(separator: ",") {
      var tag = String(element).trimmingBlanks
      if tag.hasPrefix("W/") { tag.removeFirst(2) }
      guard tag.utf8.count >= 2, tag.hasPrefix("\""), tag.hasSuffix("\"") else { continue }
      tags.insert(tag)
    }
    names = .these(tags)
  }

  /// Whether a tag, with its quotes, is listed; weak tags count, as required for GET.
  package func contains(_ tag: String) -> Bool {
    switch names {
    case .any: true
    case .these(let tags): tags.contains(tag)
    }
  }
}

extension String {
  fileprivate var trimmingBlanks: String {
    var rest = drop { $0 == " " || $0 == "\t" }
    while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
    return String(rest)
  }
}
