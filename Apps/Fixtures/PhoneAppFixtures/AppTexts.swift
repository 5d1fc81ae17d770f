import AppState
import Foundation
@_spi(Host) import SwiftUI

/// The apps' string catalogue, for tests and previews in German and Dutch.
@MainActor package enum AppTexts {
  private struct Catalogue: Decodable {
    struct Entry: Decodable {
      struct Localization: Decodable {
        struct Unit: Decodable { let value: String }

        let stringUnit: Unit
      }

      let localizations: [String: Localization]
    }

    let strings: [String: Entry]
  }

  /// Keys with words that were looked up in German or Dutch, and are not there.
  package private(set) static var missing: Set<String> = []
  /// English texts with their translations by language.
  package private(set) static var texts: [String: [String: String]] = [:]

  /// From now on, views and sentences take their texts from the catalogue.
  package static func load() throws {
    guard texts.isEmpty else { return }
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Texts/Localizable.xcstrings").standardized
    let catalogue = try JSONDecoder().decode(Catalogue.self, from: Data(contentsOf: file))
    texts = catalogue.strings.mapValues { $0.localizations.mapValues(\.stringUnit.value) }
    TextCatalogue.find = find
    LocalizedStringKey.find = find
  }

  private static func find(_ key: String, _ locale: Locale) -> String? {
    guard let language = locale.language.languageCode?.identifier,
      ["de", "nl"].contains(language)
    else { return nil }
    if let text = texts[key]?[language] { return text }
    let words = key.replacing(/\{\d+\}/, with: "")
    if words.contains(/[A-Za-z]{2}/) { missing.insert(key) }
    return nil
  }
}
