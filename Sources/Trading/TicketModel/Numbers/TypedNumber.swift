/// A number in the reader's notation, converted to digits with a point.
///
/// Ambiguous input is not guessed.
public struct TypedNumber: Sendable {
  /// The number with a point and ASCII digits; the remaining text if it is not a number.
  public let text: String
  /// Whether it contains an ambiguous separator.
  public let isDoubtful: Bool

  /// Parses typed text.
  ///
  /// The currency sign beside an amount is ignored; any other sign makes the text invalid.
  public init(_ typed: String, signs: NumberSigns, isAmount: Bool) {
    var text = trimmed(Array(typed.unicodeScalars)[...])
    if isAmount { text = TypedNumber.withoutCurrency(text, signs) }
    let plain = TypedNumber.withASCIIDigits(Array(text), signs)
    guard let whole = TypedNumber.ungrouped(plain, signs) else {
      self.init(plain, isDoubtful: true)
      return
    }
    self = TypedNumber.decimals(whole, signs)
  }

  private init(_ scalars: [Unicode.Scalar], isDoubtful: Bool) {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    text = String(view)
    self.isDoubtful = isDoubtful
  }

  /// Whether the text is a sign, digits and at most one point.
  public var isNumber: Bool {
    var digits = 0
    var points = 0
    for (index, byte) in text.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
      case UInt8(ascii: "."): points += 1
      case UInt8(ascii: "+"), UInt8(ascii: "-"): if index > 0 { return false }
      default: return false
      }
    }
    return digits > 0 && points <= 1
  }

  private static func withoutCurrency(
    _ text: ArraySlice<Unicode.Scalar>, _ signs: NumberSigns
  ) -> ArraySlice<Unicode.Scalar> {
    for sign in signs.currencies where text.starts(with: sign) {
      return text.dropFirst(sign.count).drop { $0.isBlank }
    }
    for sign in signs.currencies where text.suffix(sign.count).elementsEqual(sign) {
      return trimmed(text.dropLast(sign.count))
    }
    return text
  }

  private static func withASCIIDigits(
    _ text: [Unicode.Scalar], _ signs: NumberSigns
  ) -> [Unicode.Scalar] {
    text.map { sign in
      if sign.value == 0x2212 { return "-" }
      guard let digit = signs.digits.firstIndex(of: sign) else { return sign }
      return Unicode.Scalar(UInt8(ascii: "0") + UInt8(digit))
    }
  }

  /// Removes grouping signs placed as in the reader's locale; nil if they are misplaced.
  ///
  /// A point is kept: it may be a decimal sign in any locale.
  private static func ungrouped(
    _ text: [Unicode.Scalar], _ signs: NumberSigns
  ) -> [Unicode.Scalar]? {
    let isSeparator = { (sign: Unicode.Scalar) -> Bool in
      guard let group = signs.group, group != "." else { return false }
      // Users can't type a narrow space, and keyboards have one apostrophe.
      if group.isBlank { return sign.isBlank }
      if group == "'" || group == "\u{2019}" { return sign == "'" || sign == "\u{2019}" }
      return sign == group
    }
    guard text.contains(where: { isSeparator($0) || $0.isBlank }) else { return text }
    guard isGrouped(text, decimal: signs.decimal, isSeparator) else { return nil }
    return text.filter { !isSeparator($0) }
  }

  /// One to three digits, then groups: three digits in the last, two or three in the others.
  private static func isGrouped(
    _ text: [Unicode.Scalar], decimal: Unicode.Scalar, _ isSeparator: (Unicode.Scalar) -> Bool
  ) -> Bool {
    var rest = text[...]
    if rest.first == "+" || rest.first == "-" { rest = rest.dropFirst() }
    if let point = rest.firstIndex(of: decimal) {
      guard rest[(point + 1)...].allSatisfy({ $0.isASCIIDigit }) else { return false }
      rest = rest[..<point]
    }
    let groups = rest.split(omittingEmptySubsequences: false, whereSeparator: isSeparator)
    guard groups.count > 1, let first = groups.first, let last = groups.last,
      (1...3).contains(first.count), last.count == 3
    else { return false }
    for group in groups {
      guard group.allSatisfy({ $0.isASCIIDigit }) else { return false }
    }
    for group in groups.dropFirst().dropLast() {
      guard group.count == 2 || group.count == 3 else { return false }
    }
    return true
  }

  private static func decimals(_ text: [Unicode.Scalar], _ signs: NumberSigns) -> TypedNumber {
    if signs.decimal == "." { return TypedNumber(text, isDoubtful: false) }
    let isGroupedByPoints =
      signs.group == "." && isGrouped(text, decimal: signs.decimal) { $0 == "." }
      && !text.contains(signs.decimal)
    let count = text.count { $0 == signs.decimal }
    if isGroupedByPoints || count > 1 || (count == 1 && text.contains(".")) {
      return TypedNumber(text, isDoubtful: true)
    }
    return TypedNumber(text.map { $0 == signs.decimal ? "." : $0 }, isDoubtful: false)
  }
}

/// Trims pasted text and turns line breaks and tabs into a space.
///
/// Several lines are several numbers.
public func pastedText(_ text: String) -> String {
  var result = String.UnicodeScalarView()
  var isBroken = false
  for sign in trimmed(Array(text.unicodeScalars)[...]) {
    let isBreak = sign == "\n" || sign == "\r" || sign == "\t"
    if isBreak, !isBroken { result.append(" ") }
    if !isBreak { result.append(sign) }
    isBroken = isBreak
  }
  return String(result)
}

func trimmed(_ text: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
  var text = text
  while let last = text.last, last.isBlank { text.removeLast() }
  return text.drop { $0.isBlank }
}
