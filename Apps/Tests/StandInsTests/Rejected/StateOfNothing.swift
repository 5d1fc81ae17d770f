// Must not compile: a state of a cell is made of traits.

import UIKit

struct StateOfNothing: UIConfigurationState {}  // error: does not conform to protocol
