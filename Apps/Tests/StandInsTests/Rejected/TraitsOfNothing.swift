// Must not compile: what tells of changes of traits does so in all of UIKit's ways.

import UIKit

@MainActor final class TraitsOfNothing: UITraitChangeObservable {}  // error: does not conform
