/// HTML built from parts; all text is escaped on its way in.
struct Markup {
  private(set) var html = ""

  init() {}

  private init(html: String) { self.html = html }

  /// Escaped text.
  static func text(_ text: String) -> Markup { Markup(html: escape(text)) }

  /// An element.
  ///
  /// Its name and its attributes' names come from this program, never from a view; attributes
  /// without a value are left out.
  static func element(
    _ name: String, _ attributes: [(String, String?)] = [], _ content: Markup? = nil
  ) -> Markup {
    let said = attributes.compactMap { key, value in
      value.flatMap { $0.isEmpty ? nil : " \(key)=\"\(escape($0))\"" }
    }
    let head = "<\(name)\(said.joined())>"
    guard let content else { return Markup(html: head) }
    return Markup(html: "\(head)\(content.html)</\(name)>")
  }

  static func div(_ classes: String, style: String? = nil, _ content: Markup) -> Markup {
    element("div", [("class", classes), ("style", style)], content)
  }

  static func span(_ classes: String, style: String? = nil, _ content: Markup) -> Markup {
    element("span", [("class", classes), ("style", style)], content)
  }

  static func + (first: Markup, second: Markup) -> Markup {
    Markup(html: first.html + second.html)
  }

  static func all(_ parts: [Markup]) -> Markup { Markup(html: parts.map(\.html).joined()) }

  /// The same on a line of its own, which keeps diffs between pages small.
  var onItsOwnLine: Markup { Markup(html: "\n" + html) }

  var isEmpty: Bool { html.isEmpty }

  static func escape(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}
