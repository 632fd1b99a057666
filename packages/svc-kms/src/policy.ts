import { identityDirectory, rootOf, unknownPrincipal } from '@emu/core';
import { kmsError } from './errors.ts';
import type { KmsContext } from './operations/context.ts';

/** The only name a key policy has. */
export const POLICY_NAME = 'default';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);

/** The policy of a key that is made without one: the account's own policies decide. */
export function defaultPolicy(accountId: string, region: string): string {
  return `{
  "Version" : "2012-10-17",
  "Id" : "key-default-1",
  "Statement" : [ {
    "Sid" : "Enable IAM User Permissions",
    "Effect" : "Allow",
    "Principal" : {
      "AWS" : "${rootOf(accountId, region).arn}"
    },
    "Action" : "kms:*",
    "Resource" : "*"
  } ]
}`;
}

/** Who sets a policy. */
interface Caller {
  accountId: string;
  arn: string;
}

/** Whether a statement lets the caller, itself or through its account, set the policy again. */
function keepsAccess(statement: Record<string, unknown>, caller: Caller): boolean {
  if (statement.Effect !== 'Allow') return false;
  const principals = listOf(isObject(statement.Principal) ? statement.Principal.AWS : statement.Principal);
  const covered = principals.some(
    (principal) =>
      principal === '*' ||
      principal === caller.accountId ||
      principal === caller.arn ||
      (typeof principal === 'string' && principal.endsWith(`:iam::${caller.accountId}:root`)),
  );
  return (
    covered &&
    listOf(statement.Action).some((action) => {
      if (typeof action !== 'string') return false;
      const pattern = action
        .replace(/[.+^${}()|[\]\\]/g, '\\$&')
        .replace(/\*+/g, '.*')
        .replace(/\?/g, '.');
      return new RegExp(`^${pattern}$`, 'i').test('kms:PutKeyPolicy');
    })
  );
}

/**
 * Checks a key policy, and that the users and roles of the account that it names exist.
 * @param bypassLockoutCheck whether the caller may lose the right to change it
 * @throws AwsError `MalformedPolicyDocumentException`
 */
export async function checkPolicy(
  policy: string,
  bypassLockoutCheck: boolean | undefined,
  ctx: KmsContext,
): Promise<void> {
  checkGrammar(policy, ctx.principal, bypassLockoutCheck);
  if ((await unknownPrincipal(policy, ctx.accountId, await ctx.capability(identityDirectory))) !== undefined)
    throw kmsError(
      'MalformedPolicyDocumentException',
      'Policy contains a statement with one or more invalid principals.',
    );
}

function checkGrammar(policy: string, caller: Caller, bypassLockoutCheck: boolean | undefined): void {
  const malformed = (message: string) => kmsError('MalformedPolicyDocumentException', message);
  let document: unknown;
  try {
    document = JSON.parse(policy);
  } catch {
    throw malformed('The new key policy is not valid JSON.');
  }
  const statements = isObject(document) ? listOf(document.Statement) : [];
  if (!statements.length || !statements.every(isObject)) throw malformed('Policy contains no valid statements.');
  for (const statement of statements) {
    if (statement.Effect !== 'Allow' && statement.Effect !== 'Deny')
      throw malformed('Policy contains a statement with no valid Effect.');
    if (statement.Principal === undefined && statement.NotPrincipal === undefined)
      throw malformed('Policy contains a statement with no principal.');
    if (statement.Action === undefined && statement.NotAction === undefined)
      throw malformed('Policy contains a statement with no action.');
    if (statement.Resource === undefined && statement.NotResource === undefined)
      throw malformed('Policy contains a statement with no resource.');
  }
  if (!bypassLockoutCheck && !statements.some((statement) => keepsAccess(statement, caller)))
    throw malformed('The new key policy will not allow you to update the key policy in the future.');
}
