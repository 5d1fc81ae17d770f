// Words of venues are shown: in logs, in terminals, on pages. None of these may be made to show
// what the venue did not say there: another line, another colour, text that runs backwards.

/// Makes text from outside fit to be shown.
public enum ForeignText {
  /// The most characters that are left.
  public static let maximumCharacters = 200

  /// The text without anything that is not printed.
  ///
  /// Line ends and other controls become blanks; marks that change how others are shown, and
  /// characters that mean nothing, go. What is longer than 200 characters ends with "…".
  public static func clean(_ text: String) -> String {
    // In nearly every case there is nothing to do.
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

  /// Whether a character shows nothing but itself: no other line or colour, and no other order of
  /// those around it.
  public static func showsItself(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .format, .surrogate, .privateUse,
      .unassigned:
      false
    default: true
    }
  }

  /// What stands for a character; nil for nothing.
  private static func printable(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator: " "
    default: showsItself(scalar) ? scalar : nil
    }
  }
}
