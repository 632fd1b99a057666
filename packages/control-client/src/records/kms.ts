import type { Located, Timestamp } from './common.ts';

/** One use of a key. */
export interface KmsUsageRecord extends Located {
  keyId: string;
  keyArn: string;
  /** e.g. `Decrypt`. */
  operation: string;
  /** ARN of the caller. */
  principal: string;
  encryptionContext?: Record<string, string>;
  timestamp: Timestamp;
}
