// HTML put together from parts, every word of which is escaped on its way in.

/// A piece of a page.
struct Markup {
  /// The text as it stands in the file.
  private(set) var html = ""

  /// Nothing.
  init() {}

  private init(html: String) { self.html = html }

  /// Words; whatever they hold, they stay words.
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

  /// A block with a class.
  static func div(_ classes: String, style: String? = nil, _ content: Markup) -> Markup {
    element("div", [("class", classes), ("style", style)], content)
  }

  /// Words or parts in a line, with a class.
  static func span(_ classes: String, style: String? = nil, _ content: Markup) -> Markup {
    element("span", [("class", classes), ("style", style)], content)
  }

  /// One after the other.
  static func + (first: Markup, second: Markup) -> Markup {
    Markup(html: first.html + second.html)
  }

  /// All of them, in order.
  static func all(_ parts: [Markup]) -> Markup { Markup(html: parts.map(\.html).joined()) }

  /// The same as a block of lines of its own, so that a difference between two pages is small.
  var onItsOwnLine: Markup { Markup(html: "\n" + html) }

  var isEmpty: Bool { html.isEmpty }

  /// The text with everything replaced that means something in HTML.
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
