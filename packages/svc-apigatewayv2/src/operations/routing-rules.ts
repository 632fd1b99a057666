import { type DeepReadonly, restApis } from '@emu/core/service';
import type { CreateRoutingRuleRequest, InputOf, OutputOf, RoutingRule } from '@emu/service-types/apigatewayv2';
import type { Apigatewayv2Context } from '../context.ts';
import { changeableDomainNameOf } from '../domains/shared.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import { paging } from '../paging.ts';
import type { RoutingRuleRecord } from '../records.ts';
import { checkStageExists } from '../resources/stages.ts';
import { routingRuleArn } from '../resources.ts';

const MAX_CONDITIONS = 2;
const MAX_HEADERS = 2;

/**
 * Returns the domain name of a routing rule request; private ones include their ids.
 * @throws AwsError `NotFoundException`
 */
async function ownerOf(
  input: { DomainName: string; DomainNameId?: string | undefined },
  ctx: Apigatewayv2Context,
): Promise<string> {
  const { DomainName: name, DomainNameId: id } = input;
  if (id === undefined) return (await changeableDomainNameOf(input, ctx)).domain.DomainName;
  const all = (await ctx.capability(restApis))?.customDomains(ctx.state) ?? [];
  if (!all.some((one) => one.name === name && one.id === id))
    throw notFound('The domain name resource specified in the request was not found.');
  return name;
}

async function ruleOf(
  input: { DomainName: string; DomainNameId?: string | undefined; RoutingRuleId: string },
  ctx: Apigatewayv2Context,
): Promise<DeepReadonly<RoutingRuleRecord>> {
  const rule = ctx.state.routingRules.get(await ownerOf(input, ctx), input.RoutingRuleId);
  if (!rule) throw notFound('The routing rule resource specified in the request was not found.');
  return rule;
}

const describe = (owner: string, rule: DeepReadonly<RoutingRuleRecord>, ctx: Apigatewayv2Context): RoutingRule =>
  ({ ...rule, RoutingRuleArn: routingRuleArn(owner, rule.RoutingRuleId, ctx) }) as RoutingRule;

/** Validates a new or changed rule. */
async function check(
  owner: string,
  rule: Pick<CreateRoutingRuleRequest, 'Actions' | 'Conditions' | 'Priority'>,
  ctx: Apigatewayv2Context,
  id?: string,
): Promise<void> {
  const { Actions, Conditions, Priority } = rule;
  if (Actions.length !== 1) throw badRequest('A routing rule must have exactly one action');
  if (Conditions.length > MAX_CONDITIONS)
    throw badRequest(`A routing rule can have at most ${MAX_CONDITIONS} conditions`);
  for (const { MatchBasePaths, MatchHeaders } of Conditions) {
    if ((MatchBasePaths === undefined) === (MatchHeaders === undefined))
      throw badRequest('A condition must have either MatchBasePaths or MatchHeaders');
    if (MatchBasePaths && MatchBasePaths.AnyOf.length !== 1) throw badRequest('MatchBasePaths must have one base path');
    if (MatchHeaders && (MatchHeaders.AnyOf.length < 1 || MatchHeaders.AnyOf.length > MAX_HEADERS))
      throw badRequest(`MatchHeaders must have 1 to ${MAX_HEADERS} headers`);
  }
  const { ApiId, Stage } = Actions[0]!.InvokeApi;
  await checkStageExists({ ApiId, StageName: Stage }, ctx);
  const others = ctx.state.routingRules.list(owner).filter(({ RoutingRuleId }) => RoutingRuleId !== id);
  if (others.some((other) => other.Priority === Priority))
    throw conflict(`A routing rule with the priority ${Priority} already exists for this domain name`);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames-domainname-routingrules.html#CreateRoutingRule */
export async function CreateRoutingRule(
  input: InputOf<'CreateRoutingRule'>,
  ctx: Apigatewayv2Context,
): Promise<OutputOf<'CreateRoutingRule'>> {
  const owner = await ownerOf(input, ctx);
  await check(owner, input, ctx);
  const RoutingRuleId = ctx.state.newId();
  const { Actions, Conditions, Priority } = input;
  return describe(
    owner,
    ctx.state.routingRules.put(owner, RoutingRuleId, { Actions, Conditions, Priority, RoutingRuleId }),
    ctx,
  );
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames-domainname-routingrules-routingruleid.html#GetRoutingRule */
export async function GetRoutingRule(
  input: InputOf<'GetRoutingRule'>,
  ctx: Apigatewayv2Context,
): Promise<OutputOf<'GetRoutingRule'>> {
  return describe(await ownerOf(input, ctx), await ruleOf(input, ctx), ctx);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames-domainname-routingrules.html#ListRoutingRules */
export async function ListRoutingRules(
  input: InputOf<'ListRoutingRules'>,
  ctx: Apigatewayv2Context,
): Promise<OutputOf<'ListRoutingRules'>> {
  const owner = await ownerOf(input, ctx);
  return paging
    .page('ListRoutingRules', input, ctx.state.routingRules.list(owner), ({ RoutingRuleId }) => RoutingRuleId)
    .list((rule) => describe(owner, rule, ctx));
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames-domainname-routingrules-routingruleid.html#PutRoutingRule */
export async function PutRoutingRule(
  input: InputOf<'PutRoutingRule'>,
  ctx: Apigatewayv2Context,
): Promise<OutputOf<'PutRoutingRule'>> {
  const owner = await ownerOf(input, ctx);
  const { RoutingRuleId } = await ruleOf(input, ctx);
  await check(owner, input, ctx, RoutingRuleId);
  const { Actions, Conditions, Priority } = input;
  return describe(
    owner,
    ctx.state.routingRules.put(owner, RoutingRuleId, { Actions, Conditions, Priority, RoutingRuleId }),
    ctx,
  );
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames-domainname-routingrules-routingruleid.html#DeleteRoutingRule */
export async function DeleteRoutingRule(
  input: InputOf<'DeleteRoutingRule'>,
  ctx: Apigatewayv2Context,
): Promise<OutputOf<'DeleteRoutingRule'>> {
  const { RoutingRuleId } = await ruleOf(input, ctx);
  ctx.state.routingRules.delete(await ownerOf(input, ctx), RoutingRuleId);
  return {};
}
