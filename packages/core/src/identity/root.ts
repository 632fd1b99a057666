import { partitionOf } from '../aws/partitions.ts';
import type { Principal } from './principal.ts';

/** Returns the root user of an account, the default principal of emu. */
export function rootOf(accountId: string, region: string): Principal {
  return {
    type: 'root',
    accountId,
    arn: `arn:${partitionOf(region)}:iam::${accountId}:root`,
    userId: accountId,
  };
}
