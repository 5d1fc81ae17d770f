/// Decimal sign, grouping sign, digits and currency of a locale; this module has no locale data.
public struct NumberSigns: Sendable {
  /// A point, no grouping, ASCII digits, no currency.
  public static let plain = NumberSigns(decimal: ".", group: "", digits: "", currencies: [])

  let decimal: Unicode.Scalar
  /// nil unless thousands are grouped by a single character.
  let group: Unicode.Scalar?
  /// The locale's digits from 0 to 9; empty for ASCII digits.
  let digits: [Unicode.Scalar]
  /// The currency's notations, longest first.
  let currencies: [[Unicode.Scalar]]

  /// Creates signs as a locale's number formatter writes them.
  ///
  /// `digits` are those from 0 to 9 in one text; `currencies` are the symbols and the code of the
  /// market's currency, which are ignored beside a price.
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
  /// White space as defined by browsers.
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
