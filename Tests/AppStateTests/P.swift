// to be merged
