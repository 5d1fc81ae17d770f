// Must not compile: an app can't see what tests use.

import SwiftUI

func hostInAnApp(_ view: Text) {
  _ = ViewHost(view)  // error: cannot find 'ViewHost' in scope
}
