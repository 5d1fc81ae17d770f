// Must not compile: a trait needs a default value.

import UIKit

enum TraitWithoutDefault: UITraitDefinition {}  // error: does not conform to protocol
