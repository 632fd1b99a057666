import { rootOf } from '../identity/root.ts';
import type { Json } from './json.ts';

/** What an operation such as SQS's and SNS's AddPermission grants to other accounts. */
export interface AccountGrant {
  /** Id of the statement. */
  label: string;
  accountIds: readonly string[];
  /** With the prefix of their service, e.g. `SQS:SendMessage`. */
  actions: readonly string[];
  /** ARN of what they are granted on. */
  resource: string;
  /** Region of the resource. */
  region: string;
}

/** A policy's statement that grants actions to accounts; one account or action is no list, as AWS writes it. */
export const grantStatement = ({ label, accountIds, actions, resource, region }: AccountGrant): Json => ({
  Sid: label,
  Effect: 'Allow',
  Principal: { AWS: oneOrAll(accountIds.map((accountId) => rootOf(accountId, region).arn)) },
  Action: oneOrAll(actions),
  Resource: resource,
});

/** Accounts of a grant that are no ids of accounts. */
export const malformedAccounts = (accountIds: readonly string[]): string[] =>
  accountIds.filter((accountId) => !/^\d{12}$/.test(accountId));

const oneOrAll = (values: readonly string[]): string | readonly string[] => (values.length === 1 ? values[0]! : values);
