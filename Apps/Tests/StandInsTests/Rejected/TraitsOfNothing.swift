// Must not compile: an observable of traits needs all of UIKit's registration methods.

import UIKit

@MainActor final class TraitsOfNothing: UITraitChangeObservable {}  // error: does not conform
