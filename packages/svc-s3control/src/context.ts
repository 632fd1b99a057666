import type { OperationContext } from '@emu/core';
import { accessDenied } from './errors.ts';
import type { S3ControlState } from './state.ts';

/** The context of S3 Control's operations. */
export type S3ControlContext = OperationContext<S3ControlState>;

/** The region that keeps what a partition's accounts have in none. */
const GLOBAL_REGIONS: Readonly<Record<string, string>> = {
  'aws-cn': 'cn-north-1',
  'aws-us-gov': 'us-gov-west-1',
  'aws-iso': 'us-iso-east-1',
  'aws-iso-b': 'us-isob-east-1',
  'aws-iso-e': 'eu-isoe-west-1',
  'aws-iso-f': 'us-isof-south-1',
  'aws-eusc': 'eusc-de-east-1',
};

/** @throws AwsError `AccessDenied` where the request names an account that is not the caller's */
export function checkAccount({ accountId }: Pick<S3ControlContext, 'accountId'>, named: string | undefined): void {
  if (named !== undefined && named !== accountId) throw accessDenied();
}

/** What AWS keeps of the caller's account in no region: its public access block, Multi-Region Access Points. */
export function globalState({ handle, accountId, partition }: S3ControlContext): S3ControlState {
  return handle.state(accountId, GLOBAL_REGIONS[partition] ?? 'us-east-1');
}
