// Which topics there are: the one place that joins a topic's name to the screen behind it.

import AppState
import MarketModel

/// Makes the screen of a topic.
struct TopicCatalogue: Sendable {
  /// The screen of a topic's name; nil when there is no such topic.
  let make: @Sendable (String) -> (any TopicScreen)?

  /// Opens a screen.
  func screen(for topic: String) -> (any TopicScreen)? { make(topic) }
}
