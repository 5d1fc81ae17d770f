import Foundation
import MarketModel
import WireJSON

/// The English text of a sentence as a page receives it.
func english(_ value: Any?) -> String? {
  value.flatMap { try? JSONSerialization.data(withJSONObject: $0, options: .fragmentsAllowed) }
    .flatMap { Sentence(json: Array($0)) }?.description
}
