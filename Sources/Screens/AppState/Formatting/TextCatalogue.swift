public import Foundation
public import MarketModel

/// The app's texts in the languages of its string catalogue; English is the key.
@MainActor public enum TextCatalogue {
  /// A key's text in a locale's language; nil where English is shown.
  ///
  /// Tests replace it.
  public static var find: (_ key: String, _ locale: Locale) -> String? = { key, locale in
    guard let language = locale.language.languageCode?.identifier else { return nil }
    return bundle(of: language)?.localizedString(forKey: key, value: key, table: nil)
  }

  /// The parts of the app's bundle by language; nil where it has none.
  private static var bundles: [String: Bundle?] = [:]

  private static func bundle(of language: String) -> Bundle? {
    if let known = bundles[language] { return known }
    let bundle = Bundle.main.path(forResource: language, ofType: "lproj")
      .flatMap { Bundle(path: $0) }
    bundles[language] = .some(bundle)
    return bundle
  }
}

extension Locale {
  /// A sentence in this locale's language; English where the catalogue has no entry.
  ///
  /// A key's meaning after "|", for a word with several translations, is not shown.
  /// What a view shows without arguments may be a literal, which SwiftUI looks up by itself.
  @MainActor public func text(_ sentence: Sentence) -> String {
    let arguments = sentence.arguments.map { argument -> Sentence.Argument in
      if case .sentence(let inner) = argument { .text(text(inner)) } else { argument }
    }
    let key = TextCatalogue.find(sentence.key, self) ?? String(sentence.key.prefix { $0 != "|" })
    return Sentence(key: key, arguments: arguments).description
  }
}
