import { contextKeysOf, type PolicyPrincipal } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/iam';
import type { IamContext } from '../context.ts';
import { checkPolicies, Simulation } from '../policies/simulation.ts';
import { boundaryOf, type PolicyEntity, policiesOf, requireEntity } from '../policies/sources.ts';
import { assumedRoleType } from '../resources.ts';

/**
 * Returns the condition keys in policies.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetContextKeysForCustomPolicy.html
 */
export function GetContextKeysForCustomPolicy(
  input: InputOf<'GetContextKeysForCustomPolicy'>,
): OutputOf<'GetContextKeysForCustomPolicy'> {
  checkPolicies(input.PolicyInputList);
  return { ContextKeyNames: contextKeysOf(input.PolicyInputList) };
}

/**
 * Returns the condition keys in the policies of a user, group or role, and in additional policies.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetContextKeysForPrincipalPolicy.html
 */
export async function GetContextKeysForPrincipalPolicy(
  input: InputOf<'GetContextKeysForPrincipalPolicy'>,
  ctx: IamContext,
): Promise<OutputOf<'GetContextKeysForPrincipalPolicy'>> {
  const { PolicyInputList: more = [] } = input;
  checkPolicies(more);
  const policies = await policiesOf(ctx, requireEntity(ctx.state, input.PolicySourceArn));
  return { ContextKeyNames: contextKeysOf([...policies.map(({ document }) => document), ...more]) };
}

/**
 * Simulates policies.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_SimulateCustomPolicy.html
 */
export function SimulateCustomPolicy(
  input: InputOf<'SimulateCustomPolicy'>,
  ctx: IamContext,
): Promise<OutputOf<'SimulateCustomPolicy'>> {
  // A principal of the account that no resource policy can name.
  const principal = { type: 'assumed-role', accountId: ctx.accountId, arn: '*' } as const;
  return new Simulation(input, { principal, policies: [] }).page('SimulateCustomPolicy');
}

/**
 * Simulates the policies of a user, group or role, with additional policies.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_SimulatePrincipalPolicy.html
 */
export async function SimulatePrincipalPolicy(
  input: InputOf<'SimulatePrincipalPolicy'>,
  ctx: IamContext,
): Promise<OutputOf<'SimulatePrincipalPolicy'>> {
  const entity = requireEntity(ctx.state, input.PolicySourceArn);
  const policies = await policiesOf(ctx, entity);
  const boundary = await boundaryOf(ctx, entity);
  const page = await new Simulation(input, { principal: principalOf(ctx, entity), policies, boundary }).page(
    'SimulatePrincipalPolicy',
  );
  // Without control policies, nothing is denied.
  for (const result of page.EvaluationResults) result.OrganizationsDecisionDetail = { AllowedByOrganizations: true };
  return page;
}

function principalOf(ctx: IamContext, { kind, record }: PolicyEntity): PolicyPrincipal {
  const { accountId } = ctx;
  if (kind === 'user') return { type: 'user', accountId, arn: record.arn, userId: record.id };
  // Groups are simulated like roles, as a principal with their policies.
  const arn = assumedRoleType.arn({ role: record.name, session: 'simulation' }, ctx);
  return { type: 'assumed-role', accountId, arn, entityArn: record.arn };
}
