/// Line drawings by the names of system symbols: Apple's own may not be copied.
///
/// A missing symbol shows its name, which a test forbids.
enum Symbols {
  /// Paths in a square of 24 units.
  private static let paths: [String: StaticString] = [
    "list.bullet": "M8.5 6h12M8.5 12h12M8.5 18h12M3.5 6h1M3.5 12h1M3.5 18h1",
    "chart.bar": "M4 13h4v7H4zM10 4h4v16h-4zM16 9h4v11h-4z",
    "arrow.left.arrow.right": "M20 8H5M9 4L5 8l4 4M4 16h15M15 12l4 4-4 4",
    "shippingbox": "M3 7.5L12 3l9 4.5v9L12 21l-9-4.5zM3 7.5l9 4.5 9-4.5M12 12v9",
    "gearshape": """
    M12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM12 2.8v3M12 18.2v3M2.8 12h3M18.2 12h3\
    M5.5 5.5l2.1 2.1M16.4 16.4l2.1 2.1M18.5 5.5l-2.1 2.1M7.6 16.4l-2.1 2.1
    """,
    "exclamationmark.triangle": "M12 3.5L22 20.5H2zM12 10v5M12 17.4v.6",
    "questionmark.circle": """
    M12 2.5a9.5 9.5 0 1 0 0 19 9.5 9.5 0 0 0 0-19z\
    M9 9.5a3 3 0 1 1 4.2 2.7c-.8.4-1.2.9-1.2 1.9M12 16.8v.6
    """,
    "xmark": "M5 5l14 14M19 5L5 19",
    "magnifyingglass": "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L21 21",
    "square.and.arrow.up": "M12 15V3M8 6.5L12 3l4 3.5M8 10H5v11h14V10h-3",
    "chevron.left": "M15 4l-8 8 8 8",
    "chevron.right": "M9 5l7 7-7 7",
    "chevron.up.chevron.down": "M8 9.5L12 5.5l4 4M8 14.5l4 4 4-4",
    "checkmark": "M4.5 13l5 5L20 6",
    "square.stack": "M4 10h16v10H4zM6 7h12M8 4h8",
    "star": "M12 3l2.8 5.8 6.2.9-4.5 4.4 1.1 6.3-5.6-3-5.6 3 1.1-6.3L3 9.7l6.2-.9z",
    "bell": "M6 16.5c1.5-1 2-2.5 2-6a4 4 0 0 1 8 0c0 3.5 .5 5 2 6zM10 19.5a2 2 0 0 0 4 0",
    "star.fill": """
    M12 3l2.8 5.8 6.2.9-4.5 4.4 1.1 6.3-5.6-3-5.6 3 1.1-6.3L3 9.7l6.2-.9z\
    M12 7l2 4.5 4 .5-3 3M12 7l-2 4.5-4 .5 3 3M9 15l3-4 3 4
    """,
    "arrow.up.arrow.down": "M8 20V4M4 8l4-4 4 4M16 4v16M12 16l4 4 4-4",
    "arrow.clockwise": "M19 12a7 7 0 1 1-2.2-5.1M17 3v4.3h-4.3",
  ]

  static func knows(_ name: String) -> Bool { paths[name] != nil }

  /// The drawing, with its name as a tooltip.
  static func drawing(_ name: String, style: String? = nil) -> Markup {
    let title = Markup.element("title", [], .text(name))
    guard let path = paths[name] else { return .span("symbol unknown", .text(name)) }
    return .element(
      "svg", [("class", "symbol"), ("viewBox", "0 0 24 24"), ("style", style)],
      title + .element("path", [("d", "\(path)")], Markup()))
  }
}
