/** Maximum bytes of a line. A writer drops the bodies of longer records. */
export const MAX_LINE = 16 * 1024 * 1024;
