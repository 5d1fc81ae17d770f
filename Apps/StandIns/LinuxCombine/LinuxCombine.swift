// OpenCombine's three modules as Combine on Linux. Targets that import Combine get this module
// through a module alias, so the same source compiles on Apple platforms.
@_exported public import OpenCombine
@_exported public import OpenCombineDispatch
@_exported public import OpenCombineFoundation
