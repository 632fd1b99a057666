import { cp } from 'node:fs/promises';

/**
 * Copies a data directory that is in use, as it is at this moment: what the death of its process would leave. Files that
 * are being made are left out, for they get another name at any time.
 */
export async function copyDataDirectory(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, filter: (path) => !path.endsWith('.tmp') });
}
