import {
  actionsOf,
  each,
  identityDirectory,
  isPublicPolicy,
  type OperationContext,
  type PolicyRules,
  PRINCIPALS,
  parsePolicy,
  unknownPrincipal,
} from '@emu/core/service';
import type { ValidationErrorsEntry } from '@emu/service-types/secretsmanager';
import { secretsmanagerError } from './errors.ts';
import { PUBLIC, policySentence } from './policy-problems.ts';

/**
 * Allowed contents of a secret policy. The model checks its length.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/auth-and-access_resource-policies.html
 */
const RULES: PolicyRules = {
  duplicateKeys: true,
  principal: 'required',
  principals: PRINCIPALS,
  action: 'required',
  actions: actionsOf('secretsmanager'),
  resource: 'required',
  resources: each((resource) => /^(?:\*$|arn:)/.test(resource)),
  uniqueSids: 'given',
};

/**
 * Validates the resource policy of a secret. `OperationContext.wouldRefuse` checks that the users and roles of the
 * account in it exist.
 * @param accountId account of the secret
 * @param blockPublic whether public access is rejected
 * @throws AwsError `MalformedPolicyDocumentException`, `PublicPolicyException`
 */
export async function checkPolicy(
  text: string,
  blockPublic: boolean,
  accountId: string,
  ctx: Pick<OperationContext, 'capability' | 'wouldRefuse'>,
): Promise<void> {
  const { policy, problem } = parsePolicy(text, RULES);
  if (problem) throw secretsmanagerError('MalformedPolicyDocumentException', policySentence(problem));
  if ((await unknownPrincipal(policy, accountId, await ctx.capability(identityDirectory))) !== undefined)
    ctx.wouldRefuse(
      secretsmanagerError('MalformedPolicyDocumentException', policySentence({ code: 'invalid-principal' })),
    );
  if (blockPublic && isPublicPolicy(text)) throw secretsmanagerError('PublicPolicyException', PUBLIC);
}

/** Returns the findings of ValidateResourcePolicy: syntax errors and public access. */
export function validatePolicy(text: string): ValidationErrorsEntry[] {
  const { problem } = parsePolicy(text, RULES);
  if (problem) return [{ CheckName: 'POLICY_SYNTAX', ErrorMessage: policySentence(problem) }];
  return isPublicPolicy(text) ? [{ CheckName: 'BLOCK_PUBLIC_ACCESS', ErrorMessage: PUBLIC }] : [];
}
