// Must not compile: what a scene leaves behind is made by the system.

import UIKit

@MainActor func sessionOfNothing() -> UISceneSession {
  UISceneSession()  // error: 'UISceneSession' initializer is inaccessible
}
