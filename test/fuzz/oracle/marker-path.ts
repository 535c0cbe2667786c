/** A path that never exists; the number of a command follows. */
export const markerPath = '/kairos-fuzz-command/';
