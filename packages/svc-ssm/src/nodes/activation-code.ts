import { createHash } from 'node:crypto';

/** Returns the stored hash of an activation code. */
export const hashOfCode = (code: string): string => createHash('sha256').update(code).digest('hex');
