// Must not compile: a layout has to measure and place, which is not imitated.

import SwiftUI

struct Diagonal: Layout {}  // error: does not conform to protocol 'Layout'
