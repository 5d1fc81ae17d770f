// Must not compile: only the system creates scene sessions.

import UIKit

@MainActor func sessionOfNothing() -> UISceneSession {
  UISceneSession()  // error: 'UISceneSession' initializer is inaccessible
}
