const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Returns the promise that the response to a request waits for: the changes that it made, or may have read, are on
 * disk. Rejects if they cannot be written, unless the request only reads: then the request that made the changes
 * receives the error.
 */
export const writesBefore = (method: string, writing: Promise<void>): Promise<void> =>
  READING.has(method) ? writing.catch(() => undefined) : writing;
