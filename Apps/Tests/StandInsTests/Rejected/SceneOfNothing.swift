// Must not compile: scenes are made by the system.

import UIKit

@MainActor func sceneOfNothing() -> UIScene {
  UIScene()  // error: 'UIScene' initializer is inaccessible
}
