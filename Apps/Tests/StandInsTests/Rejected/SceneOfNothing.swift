// Must not compile: only the system creates scenes.

import UIKit

@MainActor func sceneOfNothing() -> UIScene {
  UIScene()  // error: 'UIScene' initializer is inaccessible
}
