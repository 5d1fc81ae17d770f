// Must not compile: a trait has a value where nobody has set one.

import UIKit

enum TraitWithoutDefault: UITraitDefinition {}  // error: does not conform to protocol
