// Must not compile: a configuration is updated for a state on any thread.

import UIKit

struct UpdatedOnTheMainActor: UIContentConfiguration {  // error: crosses into main actor-isolated
  func makeContentView() -> any UIView & UIContentView {
    UIListContentView(configuration: .cell())
  }
  @MainActor func updated(for state: any UIConfigurationState) -> UpdatedOnTheMainActor { self }
}
