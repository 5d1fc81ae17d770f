// What lists of faults name of those of HTTP, so that they build without the simulated venues.

/// Never made here.
public enum ResponseFault: Sendable, Hashable { case standIn }
