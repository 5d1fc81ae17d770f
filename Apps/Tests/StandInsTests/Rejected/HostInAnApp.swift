// Must not compile: the test interface is invisible to an app.

import SwiftUI

func hostInAnApp(_ view: Text) {
  _ = ViewHost(view)  // error: cannot find 'ViewHost' in scope
}
