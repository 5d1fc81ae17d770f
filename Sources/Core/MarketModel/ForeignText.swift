/// Makes text from outside safe to show in logs, in terminals and on pages.
///
/// A venue must not be able to add a line, change a colour or reverse the direction of text.
public enum ForeignText {
  /// The most characters that are kept.
  public static let maximumCharacters = 200

  /// The text with only printable characters.
  ///
  /// Line ends and other controls become blanks. Characters that change how others are shown, and
  /// unassigned ones, are removed. Longer text ends with "…".
  public static func clean(
    _ text: String, maximumCharacters: Int = ForeignText.maximumCharacters
  ) -> String {
    // Fast path: printable ASCII of allowed length.
    if text.utf8.count <= maximumCharacters,
      text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f })
    {
      return text
    }
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      guard let scalar = printable(scalar) else { continue }
      if shown.count == maximumCharacters {
        shown.removeLast()
        shown.append("…")
        break
      }
      shown.append(scalar)
    }
    return String(shown)
  }

  /// Whether a character shows only itself and changes no line, colour or order around it.
  public static func showsItself(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .format, .surrogate, .privateUse,
      .unassigned:
      false
    default: true
    }
  }

  private static func printable(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator: " "
    default: showsItself(scalar) ? scalar : nil
    }
  }
}
