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
} from '@emu/core';
import type { ValidationErrorsEntry } from '@emu/service-types/secretsmanager';
import { secretsError } from './errors.ts';
import { PUBLIC, policySentence } from './policy-problems.ts';

/**
 * What the policy of a secret can have; its length is the model's to check.
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
 * Checks the resource policy of a secret. That the users and roles of the account that it names exist is checked by
 * `OperationContext.wouldRefuse`.
 * @param accountId account of the secret
 * @param blockPublic whether it must not give access to everybody
 * @throws AwsError `MalformedPolicyDocumentException`, `PublicPolicyException`
 */
export async function checkPolicy(
  text: string,
  blockPublic: boolean,
  accountId: string,
  ctx: Pick<OperationContext, 'capability' | 'wouldRefuse'>,
): Promise<void> {
  const { policy, problem } = parsePolicy(text, RULES);
  if (problem) throw secretsError('MalformedPolicyDocumentException', policySentence(problem));
  if ((await unknownPrincipal(policy, accountId, await ctx.capability(identityDirectory))) !== undefined)
    ctx.wouldRefuse(secretsError('MalformedPolicyDocumentException', policySentence({ code: 'invalid-principal' })));
  if (blockPublic && isPublicPolicy(text)) throw secretsError('PublicPolicyException', PUBLIC);
}

/** What ValidateResourcePolicy finds: the grammar, and that the policy does not let everybody in. */
export function validatePolicy(text: string): ValidationErrorsEntry[] {
  const { problem } = parsePolicy(text, RULES);
  if (problem) return [{ CheckName: 'POLICY_SYNTAX', ErrorMessage: policySentence(problem) }];
  return isPublicPolicy(text) ? [{ CheckName: 'BLOCK_PUBLIC_ACCESS', ErrorMessage: PUBLIC }] : [];
}
