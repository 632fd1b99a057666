import type { Timestamp } from './common.ts';

/** Server-side encryption of a delivery stream; only a status if not configured. */
export type FirehoseEncryption =
  | { status: 'DISABLED' }
  | {
      status: 'ENABLED' | 'ENABLING' | 'ENABLING_FAILED' | 'DISABLING' | 'DISABLING_FAILED';
      keyType: 'AWS_OWNED_CMK' | 'CUSTOMER_MANAGED_CMK';
      keyArn?: string;
    };

/** A delivery stream of any account. */
export interface FirehoseDeliveryStream {
  accountId: string;
  name: string;
  arn: string;
  /** e.g. `DirectPut`. */
  streamType: string;
  /** e.g. `ACTIVE`. */
  status: string;
  encryption: FirehoseEncryption;
  destinationCount: number;
  createTimestamp: Timestamp;
  lastUpdateTimestamp: Timestamp;
}
