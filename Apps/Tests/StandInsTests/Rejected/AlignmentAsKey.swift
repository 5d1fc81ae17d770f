// Must not compile: alignments can be compared, not hashed.

import SwiftUI

let all: Set<Alignment> = []  // error: does not conform to protocol 'Hashable'
