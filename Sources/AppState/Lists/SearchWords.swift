// Words as people search for them: without case, accents and marks.

/// Text made comparable with what a person types.
enum SearchWords {
  /// The most characters of a query that count.
  static let maximumQueryLength = 100

  /// Letters without case and accents; marks and apostrophes are left out.
  static func folded(_ text: String) -> String {
    var result = ""
    for scalar in text.lowercased().unicodeScalars {
      switch scalar.value {
      case 0x300...0x36f, 0x27, 0x2019: continue
      case 0..<0x80: result.unicodeScalars.append(scalar)
      default: result += plain[scalar] ?? String(Character(scalar))
      }
    }
    return result
  }

  /// The words of a name: what stands between characters that are no letter and no digit.
  static func words(of name: String) -> [String] {
    folded(name).split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  /// The words of a query: what stands between spaces.
  static func query(_ text: String) -> [String] {
    folded(String(text.prefix(maximumQueryLength))).split(whereSeparator: \.isWhitespace)
      .map(String.init)
  }

  /// Small letters of Europe by the plain letters that stand for them.
  private static let plain: [Unicode.Scalar: String] = {
    let rows = [
      ("a", "àáâãäåāăą"), ("ae", "æ"), ("c", "çćĉċč"), ("d", "ďđð"), ("e", "èéêëēĕėęě"),
      ("g", "ĝğġģ"), ("h", "ĥħ"), ("i", "ìíîïĩīĭįı"), ("j", "ĵ"), ("k", "ķ"), ("l", "ĺļľŀł"),
      ("n", "ñńņň"), ("o", "òóôõöøōŏő"), ("oe", "œ"), ("r", "ŕŗř"), ("s", "śŝşšș"), ("ss", "ß"),
      ("t", "ţťŧț"), ("th", "þ"), ("u", "ùúûüũūŭůűų"), ("w", "ŵ"), ("y", "ýÿŷ"), ("z", "źżž"),
    ]
    var table: [Unicode.Scalar: String] = [:]
    for (letter, accented) in rows {
      for scalar in accented.unicodeScalars { table[scalar] = letter }
    }
    return table
  }()
}
