import { partitionOf } from '../aws/partitions.ts';
import type { Principal } from './principal.ts';

/** The root user of an account, as which emu acts where nobody is named. */
export function rootOf(accountId: string, region: string): Principal {
  return {
    type: 'root',
    accountId,
    arn: `arn:${partitionOf(region)}:iam::${accountId}:root`,
    userId: accountId,
  };
}
