import type { DeepReadonly } from '@emu/core/service';
import type { InputOf, OutputOf, UsagePlan, UsagePlanKey } from '@emu/service-types/apigateway';
import type { ApigatewayContext } from '../context.ts';
import { dayOf, periodOf, remainingOf } from '../data-plane/usage.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import { byAge, paging } from '../paging.ts';
import { applyPatch, integerOf, type PatchTable, refuseListing } from '../patch/patch.ts';
import { checkPlan, USAGE_PLAN_TABLE } from '../patch/usage-plan.ts';
import type { PlanKeyRecord, UsagePlanRecord } from '../records.ts';
import { tagging } from '../tags.ts';

const DAY = 86_400_000;

function planOf(id: string, { state }: ApigatewayContext): DeepReadonly<UsagePlanRecord> {
  const plan = state.usagePlans.get(id);
  if (!plan) throw notFound('Invalid Usage Plan ID specified');
  return plan;
}

/** @param tagged whether to include the tags, even if there are none */
const describe = (plan: DeepReadonly<UsagePlanRecord>, tagged: boolean): UsagePlan => {
  const { tags, ...rest } = structuredClone(plan) as UsagePlanRecord;
  return { ...rest, ...(tagged && { tags: tags ?? {} }) };
};

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_CreateUsagePlan.html */
export async function CreateUsagePlan(
  input: InputOf<'CreateUsagePlan'>,
  ctx: ApigatewayContext,
): Promise<OutputOf<'CreateUsagePlan'>> {
  const { state } = ctx;
  const { name, description, apiStages, throttle, quota, tags } = input;
  if (name === '') throw badRequest('Usage Plan name cannot be empty');
  const merged = tags && tagging.merge(undefined, tags);
  const plan: UsagePlanRecord = {
    id: state.newId(6),
    name,
    ...(description !== undefined && { description }),
    apiStages: apiStages ?? [],
    ...(throttle && { throttle: { burstLimit: throttle.burstLimit ?? 0, rateLimit: throttle.rateLimit ?? 0 } }),
    ...(quota && { quota: { ...quota, offset: quota.offset ?? 0 } }),
    ...(merged && { tags: merged }),
  };
  await checkPlan(plan, ctx);
  return describe(state.usagePlans.put(plan.id, plan), merged !== undefined);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetUsagePlan.html */
export function GetUsagePlan(
  { usagePlanId }: InputOf<'GetUsagePlan'>,
  ctx: ApigatewayContext,
): OutputOf<'GetUsagePlan'> {
  return describe(planOf(usagePlanId, ctx), true);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetUsagePlans.html */
export function GetUsagePlans(
  input: InputOf<'GetUsagePlans'>,
  { state }: ApigatewayContext,
): OutputOf<'GetUsagePlans'> {
  const { keyId } = input;
  const plans =
    keyId === undefined ? [...state.usagePlans.values()] : state.plansOf(keyId).map((id) => state.usagePlans.get(id)!);
  return paging.page('GetUsagePlans', input, plans, ({ id }) => id).list((plan) => describe(plan, false));
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_UpdateUsagePlan.html */
export async function UpdateUsagePlan(
  { usagePlanId, patchOperations }: InputOf<'UpdateUsagePlan'>,
  ctx: ApigatewayContext,
): Promise<OutputOf<'UpdateUsagePlan'>> {
  const changed = structuredClone(planOf(usagePlanId, ctx)) as UsagePlanRecord;
  applyPatch(USAGE_PLAN_TABLE, changed, patchOperations);
  await checkPlan(changed, ctx);
  planOf(usagePlanId, ctx);
  return describe(ctx.state.usagePlans.put(usagePlanId, changed), true);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_DeleteUsagePlan.html */
export function DeleteUsagePlan(
  { usagePlanId }: InputOf<'DeleteUsagePlan'>,
  ctx: ApigatewayContext,
): OutputOf<'DeleteUsagePlan'> {
  const { state } = ctx;
  const plan = planOf(usagePlanId, ctx);
  if (plan.apiStages?.length)
    throw badRequest('Cannot delete the usage plan: it is associated with API stages. Remove them first.');
  for (const { keyId } of state.planKeys.list(usagePlanId)) state.deletePlanKey(usagePlanId, keyId);
  state.usagePlans.delete(usagePlanId);
  return {};
}

function planKeyOf(planId: string, keyId: string, ctx: ApigatewayContext): DeepReadonly<PlanKeyRecord> {
  planOf(planId, ctx);
  const key = ctx.state.planKeys.get(planId, keyId);
  if (!key) throw notFound('Invalid API Key identifier specified');
  return key;
}

function describeKey({ keyId }: DeepReadonly<PlanKeyRecord>, { state }: ApigatewayContext): UsagePlanKey {
  const { id, name, value } = state.apiKeys.get(keyId)!;
  return { id, type: 'API_KEY', value, ...(name !== undefined && { name }) };
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_CreateUsagePlanKey.html */
export function CreateUsagePlanKey(
  input: InputOf<'CreateUsagePlanKey'>,
  ctx: ApigatewayContext,
): OutputOf<'CreateUsagePlanKey'> {
  const { usagePlanId: planId, keyId, keyType } = input;
  const { state, clock } = ctx;
  const plan = planOf(planId, ctx);
  if (keyType !== 'API_KEY') throw badRequest('Invalid key type specified. Valid options are: API_KEY');
  if (!state.apiKeys.has(keyId)) throw notFound('Invalid API Key identifier specified');
  if (state.planKeys.get(planId, keyId)) throw conflict('Usage plan key already exists for this usage plan');
  for (const other of state.plansOf(keyId))
    for (const { apiId, stage } of state.usagePlans.get(other)?.apiStages ?? [])
      if (plan.apiStages?.some((one) => one.apiId === apiId && one.stage === stage))
        throw conflict(`The key is in a usage plan for the stage ${stage} of the API ${apiId} already`);
  const key: PlanKeyRecord = { planId, keyId, at: clock.now(), days: {}, used: 0, extra: 0 };
  state.putPlanKey(key);
  return describeKey(key, ctx);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetUsagePlanKey.html */
export function GetUsagePlanKey(
  { usagePlanId, keyId }: InputOf<'GetUsagePlanKey'>,
  ctx: ApigatewayContext,
): OutputOf<'GetUsagePlanKey'> {
  return describeKey(planKeyOf(usagePlanId, keyId, ctx), ctx);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetUsagePlanKeys.html */
export function GetUsagePlanKeys(
  input: InputOf<'GetUsagePlanKeys'>,
  ctx: ApigatewayContext,
): OutputOf<'GetUsagePlanKeys'> {
  // Recorded from AWS: an unknown plan has an empty list of keys.
  const keys = byAge(ctx.state.planKeys.list(input.usagePlanId), ({ at }) => at).filter(({ item }) =>
    (ctx.state.apiKeys.get(item.keyId)?.name ?? '').startsWith(input.nameQuery ?? ''),
  );
  return paging
    .page('GetUsagePlanKeys', input, keys, ({ age }) => age, { descending: true })
    .list(({ item }) => describeKey(item, ctx));
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_DeleteUsagePlanKey.html */
export function DeleteUsagePlanKey(
  input: InputOf<'DeleteUsagePlanKey'>,
  ctx: ApigatewayContext,
): OutputOf<'DeleteUsagePlanKey'> {
  const { usagePlanId, keyId } = input;
  planKeyOf(usagePlanId, keyId, ctx);
  ctx.state.deletePlanKey(usagePlanId, keyId);
  return {};
}

/**
 * Returns the days of a range, both ends inclusive.
 * @throws AwsError `BadRequestException`
 */
function daysOf(startDate: string, endDate: string): string[] {
  const [from, to] = [Date.parse(`${startDate}T00:00:00Z`), Date.parse(`${endDate}T00:00:00Z`)];
  if (Number.isNaN(from) || Number.isNaN(to) || from > to) throw badRequest('Invalid date range specified');
  if (to - from > 90 * DAY) throw badRequest('The date range cannot be longer than 90 days');
  const days: string[] = [];
  for (let at = from; at <= to; at += DAY) days.push(dayOf(at));
  return days;
}

function usageOf(
  key: DeepReadonly<PlanKeyRecord>,
  plan: DeepReadonly<UsagePlanRecord>,
  days: readonly string[],
): number[][] {
  let remaining = plan.quota?.limit ?? 0;
  return days.map((day) => {
    const counted = key.days[day] as readonly [number, number] | undefined;
    if (counted) remaining = counted[1];
    return [counted?.[0] ?? 0, remaining];
  });
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetUsage.html */
export function GetUsage(input: InputOf<'GetUsage'>, ctx: ApigatewayContext): OutputOf<'GetUsage'> {
  const { usagePlanId, keyId, startDate, endDate } = input;
  const plan = planOf(usagePlanId, ctx);
  const days = daysOf(startDate, endDate);
  const keys = keyId === undefined ? ctx.state.planKeys.list(usagePlanId) : [planKeyOf(usagePlanId, keyId, ctx)];
  const page = paging.page('GetUsage', input, keys, (key) => key.keyId);
  const items = Object.fromEntries(page.items.map((key) => [key.keyId, usageOf(key, plan, days)]));
  return { usagePlanId, startDate, endDate, items, ...page.next };
}

interface Left {
  remaining: number;
}

const USAGE_TABLE: PatchTable<Left> = {
  rules: [
    {
      path: '/remaining',
      ops: ['replace'],
      apply(draft, step) {
        draft.remaining = integerOf(step);
      },
    },
  ],
  refuse: refuseListing,
};

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_UpdateUsage.html */
export function UpdateUsage(input: InputOf<'UpdateUsage'>, ctx: ApigatewayContext): OutputOf<'UpdateUsage'> {
  const { usagePlanId, keyId, patchOperations } = input;
  const plan = planOf(usagePlanId, ctx);
  const key = planKeyOf(usagePlanId, keyId, ctx);
  const now = ctx.clock.now();
  if (!plan.quota) throw badRequest('Usage Plan has no quota, so that the remaining requests cannot be changed');
  const { quota } = plan;
  const left: Left = { remaining: remainingOf(plan, key, now) ?? 0 };
  applyPatch(USAGE_TABLE, left, patchOperations);
  const day = dayOf(now);
  const changed = ctx.state.planKeys.update(usagePlanId, keyId, (draft) => {
    const period = periodOf(quota, now);
    if (draft.period !== period) Object.assign(draft, { period, used: 0 });
    draft.extra = left.remaining - (quota.limit ?? 0) + draft.used;
    draft.days[day] = [draft.days[day]?.[0] ?? 0, left.remaining];
  });
  return { usagePlanId, startDate: day, endDate: day, items: { [keyId]: usageOf(changed, plan, [day]) } };
}
