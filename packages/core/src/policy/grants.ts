import { rootOf } from '../identity/root.ts';
import type { Json } from './json.ts';

/** A grant to other accounts, as by AddPermission of SQS and SNS. */
export interface AccountGrant {
  /** Id of the statement. */
  label: string;
  accountIds: readonly string[];
  /** With the prefix of their service, e.g. `SQS:SendMessage`. */
  actions: readonly string[];
  /** ARN of the resource. */
  resource: string;
  /** Region of the resource. */
  region: string;
}

/**
 * Returns a policy's statement that grants actions to accounts. A single account or action is a string instead of a
 * list, as in AWS.
 */
export const grantStatement = ({ label, accountIds, actions, resource, region }: AccountGrant): Json => ({
  Sid: label,
  Effect: 'Allow',
  Principal: { AWS: oneOrAll(accountIds.map((accountId) => rootOf(accountId, region).arn)) },
  Action: oneOrAll(actions),
  Resource: resource,
});

/** Returns the invalid account ids of a grant. */
export const malformedAccounts = (accountIds: readonly string[]): string[] =>
  accountIds.filter((accountId) => !/^\d{12}$/.test(accountId));

const oneOrAll = (values: readonly string[]): string | readonly string[] => (values.length === 1 ? values[0]! : values);
