import { type IdentityDirectory, isPublicPolicy, unknownPrincipal } from '@emu/core';
import { secretsError } from './errors.ts';
import type { ValidationErrorsEntry } from './generated/secretsmanager.ts';

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): unknown[] => (value === undefined ? [] : Array.isArray(value) ? value : [value]);

/** What is wrong with a statement; undefined where nothing is. */
function problemOf(statement: unknown): string | undefined {
  if (!isObject(statement)) return 'The policy has a statement that is no object.';
  if (statement.Effect !== 'Allow' && statement.Effect !== 'Deny')
    return 'The policy has a statement with no valid Effect.';
  if ((statement.Principal === undefined) === (statement.NotPrincipal === undefined))
    return 'The policy has a statement without a principal.';
  const principal = statement.Principal ?? statement.NotPrincipal;
  if (principal !== '*' && !isObject(principal)) return 'The policy has a statement with an invalid principal.';
  const actions = list(statement.Action ?? statement.NotAction);
  if (!actions.length) return 'The policy has a statement without an action.';
  if (!actions.every((action) => typeof action === 'string' && /^(?:\*|secretsmanager:[\w*?]+)$/i.test(action)))
    return 'The policy has a statement with an invalid action.';
  const resources = list(statement.Resource ?? statement.NotResource);
  if (!resources.length) return 'The policy has a statement without a resource.';
  return resources.every((resource) => typeof resource === 'string' && (resource === '*' || /^arn:/.test(resource)))
    ? undefined
    : 'The policy has a statement with an invalid resource.';
}

/** What is wrong with the grammar of a policy; undefined where nothing is. */
function problemOfPolicy(text: string): string | undefined {
  let policy: unknown;
  try {
    policy = JSON.parse(text);
  } catch {
    return 'The policy is not valid JSON.';
  }
  if (!isObject(policy)) return 'The policy is no JSON object.';
  const { Version: version } = policy;
  if (version !== undefined && version !== '2012-10-17' && version !== '2008-10-17')
    return 'The policy has an invalid version.';
  const statements = list(policy.Statement);
  if (!statements.length) return 'The policy has no statement.';
  for (const statement of statements) {
    const problem = problemOf(statement);
    if (problem) return problem;
  }
  return undefined;
}

const PUBLIC =
  'You cannot enable this resource policy because it grants broad access to the secret. Limit access to the principals that need it.';

/**
 * Checks the resource policy of a secret, and that the users and roles of the account that it names exist.
 * @param blockPublic whether it must not give access to everybody
 * @throws AwsError `MalformedPolicyDocumentException`, `PublicPolicyException`
 */
export async function checkPolicy(
  text: string,
  blockPublic: boolean,
  { accountId, directory }: { accountId: string; directory: IdentityDirectory | undefined },
): Promise<void> {
  const problem = problemOfPolicy(text);
  if (problem) throw secretsError('MalformedPolicyDocumentException', problem);
  if ((await unknownPrincipal(text, accountId, directory)) !== undefined)
    throw secretsError('MalformedPolicyDocumentException', 'This resource policy contains an unsupported principal.');
  if (blockPublic && isPublicPolicy(text)) throw secretsError('PublicPolicyException', PUBLIC);
}

/** What ValidateResourcePolicy finds: the grammar, and that the policy does not let everybody in. */
export function validatePolicy(text: string): ValidationErrorsEntry[] {
  const problem = problemOfPolicy(text);
  if (problem) return [{ CheckName: 'POLICY_SYNTAX', ErrorMessage: problem }];
  return isPublicPolicy(text) ? [{ CheckName: 'BLOCK_PUBLIC_ACCESS', ErrorMessage: PUBLIC }] : [];
}
