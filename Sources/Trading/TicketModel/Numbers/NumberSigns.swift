// The signs with which a reader writes numbers, as data: this module knows no locale.

/// Decimal sign, sign between thousands, digits and currency of a reader.
public struct NumberSigns: Sendable {
  /// A point, no grouping, ASCII digits, no currency.
  public static let plain = NumberSigns(decimal: ".", group: "", digits: "", currencies: [])

  let decimal: Unicode.Scalar
  /// Nil when thousands are not kept apart, or not by one sign.
  let group: Unicode.Scalar?
  /// The reader's own digits from 0 to 9; empty when they are the ASCII ones.
  let digits: [Unicode.Scalar]
  /// How the market's currency is written beside a number, the longest first.
  let currencies: [[Unicode.Scalar]]

  /// Holds the signs of a locale, as its number formatter writes them.
  ///
  /// `digits` are those from 0 to 9 in one text; `currencies` are the symbols and the code of the
  /// market's currency, and are read over beside a price.
  public init(decimal: String, group: String, digits: String, currencies: [String]) {
    self.decimal = decimal.unicodeScalars.first ?? "."
    let group = Array(group.unicodeScalars)
    self.group = group.count == 1 ? group[0] : nil
    let digits = Array(digits.unicodeScalars)
    self.digits = digits.count == 10 ? digits : []
    self.currencies = currencies.map { Array($0.unicodeScalars) }.filter { !$0.isEmpty }
      .sorted { $0.count > $1.count }
  }

  /// Digits with a point, as the reader would type them.
  public func typed(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for sign in text.unicodeScalars { result.append(sign == "." ? decimal : sign) }
    return String(result)
  }
}

extension Unicode.Scalar {
  /// Whether this is white space, in line with what browsers call so.
  var isBlank: Bool {
    switch value {
    case 0x09...0x0D, 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F,
      0x3000, 0xFEFF:
      true
    default: false
    }
  }

  var isASCIIDigit: Bool { value >= 0x30 && value <= 0x39 }
}
