import { takeFromAccount } from '@emu/apigateway-common';
import type { DeepReadonly, KeyVerdict } from '@emu/core/service';
import type { QuotaSettings } from '@emu/service-types/apigateway';
import type { PlanKeyRecord, UsagePlanRecord } from '../records.ts';
import type { ApiGatewayState } from '../state.ts';
import type { Call } from './call.ts';
import { GatewayFault } from './fault.ts';

const DAY = 86_400_000;
/** Retention of usage data, in days. @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetUsage.html */
const RETENTION_DAYS = 90;

const forbidden = (): GatewayFault => new GatewayFault('INVALID_API_KEY', 'Forbidden', 'ForbiddenException');
const throttled = (): GatewayFault => new GatewayFault('THROTTLED', 'Too Many Requests', 'TooManyRequestsException');

/**
 * Formats a day, for example `2026-11-23`.
 * @param at epoch milliseconds
 */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Returns the first day of a quota's current period. */
export function periodOf({ period = 'DAY', offset = 0 }: DeepReadonly<QuotaSettings>, now: number): string {
  const date = new Date(now);
  if (period === 'DAY') return dayOf(now);
  if (period === 'WEEK') {
    const since = (date.getUTCDay() - offset + 7) % 7;
    return dayOf(now - since * DAY);
  }
  const begin = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1 + offset);
  return dayOf(begin <= now ? begin : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1 + offset));
}

/** Returns the remaining requests of a quota in its current period; undefined without a quota. */
export function remainingOf(
  plan: DeepReadonly<UsagePlanRecord>,
  key: DeepReadonly<PlanKeyRecord>,
  now: number,
): number | undefined {
  if (plan.quota?.limit === undefined) return undefined;
  const same = key.period === periodOf(plan.quota, now);
  return Math.max(0, plan.quota.limit + (same ? key.extra - key.used : 0));
}

/**
 * Counts a request.
 * @returns false, without counting, if the quota is exhausted
 */
function count(state: ApiGatewayState, plan: DeepReadonly<UsagePlanRecord>, keyId: string): boolean {
  const now = state.clock.now();
  const key = state.planKeys.get(plan.id, keyId)!;
  const remaining = remainingOf(plan, key, now);
  if (remaining === 0) return false;
  state.planKeys.update(plan.id, keyId, (draft) => {
    const period = plan.quota ? periodOf(plan.quota, now) : undefined;
    if (draft.period !== period) {
      draft.used = 0;
      draft.extra = 0;
      if (period === undefined) delete draft.period;
      else draft.period = period;
    }
    draft.used++;
    const day = dayOf(now);
    draft.days[day] = [(draft.days[day]?.[0] ?? 0) + 1, remaining === undefined ? 0 : remaining - 1];
    const oldest = dayOf(now - RETENTION_DAYS * DAY);
    for (const one of Object.keys(draft.days)) if (one < oldest) delete draft.days[one];
  });
  return true;
}

/** A stage that requires an API key, for REST APIs with the method. */
interface KeyedStage {
  readonly apiId: string;
  readonly stage: string;
  /** For example `/pets/GET`. */
  readonly method?: string | undefined;
}

/** Checks a key against its usage plan for the stage, and counts the request. */
export function admitKey(state: ApiGatewayState, place: KeyedStage, value: string | undefined): KeyVerdict {
  const key = value === undefined ? undefined : state.apiKeyOf(value);
  if (!key?.enabled) return { refused: 'forbidden' };
  const { apiId, stage, method = '' } = place;
  const keyId = key.id;
  for (const planId of state.plansOf(keyId)) {
    const plan = state.usagePlans.get(planId)!;
    const found = plan.apiStages?.find((one) => one.apiId === apiId && one.stage === stage);
    if (!found) continue;
    const own = found.throttle?.[method];
    const rates = [
      own && { name: `${planId}/${keyId}/${apiId}/${method}`, rate: own },
      plan.throttle && { name: `${planId}/${keyId}`, rate: plan.throttle },
    ];
    for (const limit of rates)
      if (limit && !take(state, limit.name, limit.rate)) return { keyId, refused: 'throttled' };
    return { keyId, refused: count(state, plan, keyId) ? undefined : 'exhausted' };
  }
  return { keyId, refused: 'forbidden' };
}

/**
 * Checks that a request's API key is in a usage plan for the stage, within the plan's rate and quota.
 * @throws GatewayFault `INVALID_API_KEY`, `THROTTLED`, `QUOTA_EXCEEDED`
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-api-usage-plans.html
 */
export function checkApiKey(call: Call): void {
  const { state, apiId, stage, method, resource, definition, request } = call;
  if (!method.apiKeyRequired) return;
  const value = definition.apiKeySource === 'AUTHORIZER' ? call.apiKey : request.headers.get('x-api-key');
  const place = { apiId, stage: stage.name, method: `${resource.path}/${method.httpMethod}` };
  const { keyId, refused } = admitKey(state, place, value);
  if (keyId !== undefined) Object.assign(call.context.identity, { apiKey: value, apiKeyId: keyId });
  if (refused === 'throttled') throw throttled();
  if (refused === 'exhausted') throw new GatewayFault('QUOTA_EXCEEDED', 'Limit Exceeded', 'LimitExceededException');
  if (refused) throw forbidden();
}

function take(
  state: ApiGatewayState,
  name: string,
  { rateLimit, burstLimit }: { readonly rateLimit?: number | undefined; readonly burstLimit?: number | undefined },
): boolean {
  if (rateLimit === undefined && burstLimit === undefined) return true;
  const rate = rateLimit ?? burstLimit!;
  return state.rates.take(name, 1, rate, burstLimit ?? Math.max(1, rate), state.clock.now());
}

/**
 * Throttles requests by the stage's settings.
 * @throws GatewayFault `THROTTLED`
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-request-throttling.html
 */
export function checkRate(call: Call): void {
  const { state, apiId, stage, resource, method } = call;
  if (!takeFromAccount(state.rates, state.scope.service, state)) throw throttled();
  const { throttlingRateLimit: rateLimit, throttlingBurstLimit: burstLimit } = stage.settings(
    resource.path,
    method.httpMethod!,
  );
  if (rateLimit === undefined || burstLimit === undefined || rateLimit < 0 || burstLimit < 0) return;
  const name = `${apiId}/${stage.name}/${resource.path}/${method.httpMethod}`;
  if (!take(state, name, { rateLimit, burstLimit })) throw throttled();
}
