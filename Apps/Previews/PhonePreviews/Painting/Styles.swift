/// Writes recorded colours and fonts as CSS.
///
/// Named colours are variables of the style sheet, so that a page's theme decides; colours by
/// components are the app's own.
enum Styles {
  private static let names: Set = [
    "red", "orange", "yellow", "green", "mint", "teal", "cyan", "blue", "indigo", "purple", "pink",
    "brown", "white", "gray", "black", "primary", "secondary", "tertiary", "quaternary",
    "background",
  ]

  /// "rgb(0.0,0.37,0.14,1.0)@0.25" or "secondary" as a colour; nil for an unknown one.
  static func color(_ style: String) -> String? {
    let parts = style.split(separator: "@")
    guard let name = parts.first, let base = opaque(String(name)) else { return nil }
    let opacity = parts.dropFirst().compactMap { Double($0) }.reduce(1, *)
    if opacity >= 1 { return base }
    return "color-mix(in srgb, \(base) \(number(opacity * 100))%, transparent)"
  }

  private static func opaque(_ name: String) -> String? {
    if name.hasPrefix("rgb("), name.hasSuffix(")") {
      let parts = name.dropFirst(4).dropLast().split(separator: ",").compactMap { Double($0) }
      guard parts.count == 4 else { return nil }
      let bytes = parts.prefix(3).map { number(($0 * 255).rounded()) }
      return "rgba(\(bytes.joined(separator: ",")),\(number(parts[3])))"
    }
    switch name {
    case "clear": return "transparent"
    case "accentColor", "tint": return "var(--tint)"
    case "foreground", "label": return "var(--primary)"
    case "secondaryLabel": return "var(--secondary)"
    case "systemBackground": return "var(--background)"
    case "secondarySystemBackground": return "var(--fill)"
    case "systemRed": return "var(--red)"
    case "systemGreen": return "var(--green)"
    case "systemOrange": return "var(--orange)"
    case "bar", "ultraThinMaterial", "thinMaterial", "regularMaterial": return "var(--bar)"
    default: return names.contains(name) ? "var(--\(name))" : nil
    }
  }

  /// Points and weights of text styles at the default text size.
  private static let fonts: [String: (points: Double, weight: Int)] = [
    "largeTitle": (34, 400), "title": (28, 400), "title2": (22, 400), "title3": (20, 400),
    "headline": (17, 600), "subheadline": (15, 400), "body": (17, 400), "callout": (16, 400),
    "footnote": (13, 400), "caption": (12, 400), "caption2": (11, 400),
  ]
  private static let weights = ["regular": 400, "medium": 500, "semibold": 600, "bold": 700]

  /// "caption2,monospacedDigit" as CSS.
  static func font(_ font: String?, weight: String? = nil, hasEqualDigits: Bool = false) -> String {
    let parts = (font ?? "body").split(separator: ",").map(String.init)
    var (points, heavy) = fonts[parts.first ?? "body"] ?? (17, 400)
    if let name = parts.first, name.hasPrefix("system("), name.hasSuffix(")") {
      points = Double(name.dropFirst(7).dropLast()) ?? points
    }
    for part in parts.dropFirst() { heavy = weights[part] ?? heavy }
    if let weight { heavy = weights[weight] ?? heavy }
    var css = "font-size:\(number(points))px;font-weight:\(heavy);"
    if hasEqualDigits || parts.contains("monospacedDigit") {
      css += "font-variant-numeric:tabular-nums;"
    }
    if parts.contains("monospaced") { css += "font-family:ui-monospace,Menlo,monospace;" }
    return css
  }

  /// A number with at most two decimals, the same on every machine.
  static func number(_ value: Double) -> String {
    let hundredths = (value * 100).rounded()
    guard hundredths.isFinite, abs(hundredths) < 1e15 else { return "0" }
    let units = Int(hundredths)
    let (whole, rest) = (abs(units) / 100, abs(units) % 100)
    let sign = units < 0 ? "-" : ""
    if rest == 0 { return "\(sign)\(whole)" }
    return rest % 10 == 0
      ? "\(sign)\(whole).\(rest / 10)" : "\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }
}
