import type { DeepReadonly } from '@emu/core';
import type {
  CreateRoutingRuleRequest,
  CreateRoutingRuleResponse,
  DeleteRoutingRuleRequest,
  GetRoutingRuleRequest,
  GetRoutingRuleResponse,
  ListRoutingRulesRequest,
  ListRoutingRulesResponse,
  PutRoutingRuleRequest,
  PutRoutingRuleResponse,
  RoutingRule,
} from '@emu/service-types/apigatewayv2';
import { conflict, invalid, notEmulated, notFound } from '../errors.ts';
import { checkStageExists, domainNameOf, type GatewayContext } from '../lookup.ts';
import { paging } from '../paging.ts';
import type { RoutingRuleRecord } from '../records.ts';
import { routingRuleArn } from '../resources.ts';

const MAX_CONDITIONS = 2;
const MAX_HEADERS = 2;

/** The domain name of a request for its rules; ids of private domain names are refused. */
function ownerOf(input: { DomainName: string; DomainNameId?: string | undefined }, ctx: GatewayContext): string {
  if (input.DomainNameId !== undefined) throw notEmulated('routing rules of private domain names (DomainNameId)');
  return domainNameOf(input, ctx).DomainName;
}

function ruleOf(
  input: { DomainName: string; DomainNameId?: string | undefined; RoutingRuleId: string },
  ctx: GatewayContext,
): DeepReadonly<RoutingRuleRecord> {
  const rule = ctx.state.routingRules.get(ownerOf(input, ctx), input.RoutingRuleId);
  if (!rule) throw notFound('The routing rule resource specified in the request was not found.');
  return rule;
}

const describe = (owner: string, rule: DeepReadonly<RoutingRuleRecord>, ctx: GatewayContext): RoutingRule =>
  ({ ...rule, RoutingRuleArn: routingRuleArn(owner, rule.RoutingRuleId, ctx) }) as RoutingRule;

/** Checks a rule as it is going to be. */
async function check(
  owner: string,
  rule: Pick<CreateRoutingRuleRequest, 'Actions' | 'Conditions' | 'Priority'>,
  ctx: GatewayContext,
  id?: string,
): Promise<void> {
  const { Actions, Conditions, Priority } = rule;
  if (Actions.length !== 1) throw invalid('A routing rule must have exactly one action');
  if (Conditions.length > MAX_CONDITIONS) throw invalid(`A routing rule can have at most ${MAX_CONDITIONS} conditions`);
  for (const { MatchBasePaths, MatchHeaders } of Conditions) {
    if ((MatchBasePaths === undefined) === (MatchHeaders === undefined))
      throw invalid('A condition must have either MatchBasePaths or MatchHeaders');
    if (MatchBasePaths && MatchBasePaths.AnyOf.length !== 1) throw invalid('MatchBasePaths must have one base path');
    if (MatchHeaders && (MatchHeaders.AnyOf.length < 1 || MatchHeaders.AnyOf.length > MAX_HEADERS))
      throw invalid(`MatchHeaders must have 1 to ${MAX_HEADERS} headers`);
  }
  const { ApiId, Stage } = Actions[0]!.InvokeApi;
  await checkStageExists({ ApiId, StageName: Stage }, ctx);
  const others = ctx.state.routingRules.list(owner).filter(({ RoutingRuleId }) => RoutingRuleId !== id);
  if (others.some((other) => other.Priority === Priority))
    throw conflict(`A routing rule with the priority ${Priority} already exists for this domain name`);
}

/** https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames-domainname-routingrules.html#CreateRoutingRule */
export async function CreateRoutingRule(
  input: CreateRoutingRuleRequest,
  ctx: GatewayContext,
): Promise<CreateRoutingRuleResponse> {
  const owner = ownerOf(input, ctx);
  await check(owner, input, ctx);
  const RoutingRuleId = ctx.state.newId();
  const { Actions, Conditions, Priority } = input;
  return describe(
    owner,
    ctx.state.routingRules.put(owner, RoutingRuleId, { Actions, Conditions, Priority, RoutingRuleId }),
    ctx,
  );
}

/** https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames-domainname-routingrules-routingruleid.html#GetRoutingRule */
export const GetRoutingRule = (input: GetRoutingRuleRequest, ctx: GatewayContext): GetRoutingRuleResponse =>
  describe(ownerOf(input, ctx), ruleOf(input, ctx), ctx);

/** https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames-domainname-routingrules.html#ListRoutingRules */
export function ListRoutingRules(input: ListRoutingRulesRequest, ctx: GatewayContext): ListRoutingRulesResponse {
  const owner = ownerOf(input, ctx);
  return paging
    .page('ListRoutingRules', input, ctx.state.routingRules.list(owner), ({ RoutingRuleId }) => RoutingRuleId)
    .list((rule) => describe(owner, rule, ctx));
}

/** https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames-domainname-routingrules-routingruleid.html#PutRoutingRule */
export async function PutRoutingRule(
  input: PutRoutingRuleRequest,
  ctx: GatewayContext,
): Promise<PutRoutingRuleResponse> {
  const owner = ownerOf(input, ctx);
  const { RoutingRuleId } = ruleOf(input, ctx);
  await check(owner, input, ctx, RoutingRuleId);
  const { Actions, Conditions, Priority } = input;
  return describe(
    owner,
    ctx.state.routingRules.put(owner, RoutingRuleId, { Actions, Conditions, Priority, RoutingRuleId }),
    ctx,
  );
}

/** https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames-domainname-routingrules-routingruleid.html#DeleteRoutingRule */
export function DeleteRoutingRule(input: DeleteRoutingRuleRequest, ctx: GatewayContext): Record<string, never> {
  const { RoutingRuleId } = ruleOf(input, ctx);
  ctx.state.routingRules.delete(ownerOf(input, ctx), RoutingRuleId);
  return {};
}
