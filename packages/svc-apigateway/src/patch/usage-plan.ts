import type { ApiStage, QuotaPeriodType, ThrottleSettings } from '@emu/service-types/apigateway';
import { AwsError, isObject, parseJson } from '@emu/wire';
import type { ApigatewayContext } from '../context.ts';
import { badRequest, notFound } from '../errors.ts';
import type { UsagePlanRecord } from '../records.ts';
import {
  givenValue,
  integerOf,
  numberOf,
  optionalText,
  type PatchRule,
  type PatchStep,
  type PatchTable,
  refuseListing,
  text,
  wordOf,
} from './patch.ts';

const PERIODS: readonly QuotaPeriodType[] = ['DAY', 'WEEK', 'MONTH'];

/** Whether a WebSocket API has a stage. */
async function isOfWebSockets(ApiId: string, StageName: string, ctx: ApigatewayContext): Promise<boolean> {
  try {
    await ctx.call('apigatewayv2', 'GetStage', { ApiId, StageName });
    return (await ctx.call('apigatewayv2', 'GetApi', { ApiId })).ProtocolType === 'WEBSOCKET';
  } catch (error) {
    if (error instanceof AwsError) return false;
    throw error;
  }
}

/**
 * Validates a complete plan.
 * @throws AwsError `BadRequestException`, `NotFoundException`
 */
export async function checkPlan(plan: UsagePlanRecord, ctx: ApigatewayContext): Promise<void> {
  const { id, apiStages = [], throttle, quota } = plan;
  for (const { apiId = '', stage = '' } of apiStages)
    if (!ctx.state.stages.get(apiId, stage) && !(await isOfWebSockets(apiId, stage, ctx)))
      throw notFound(`Invalid API Stage {api: ${apiId}, stage: ${stage}} specified for usageplan ${id}`);
  if (throttle && ((throttle.rateLimit ?? 0) < 0 || (throttle.burstLimit ?? 0) < 0))
    throw badRequest('Usage Plan throttle settings cannot be negative');
  if (!quota) return;
  if (quota.limit === undefined || quota.limit < 0)
    throw badRequest('Usage Plan quota limit must be a positive integer');
  if (!quota.period) throw badRequest('Usage Plan quota period cannot be empty');
  const most = quota.period === 'DAY' ? 0 : quota.period === 'WEEK' ? 6 : 27;
  if ((quota.offset ?? 0) < 0 || (quota.offset ?? 0) > most)
    throw badRequest(`Usage Plan quota offset must be between 0 and ${most} for the period ${quota.period}`);
}

/** Parses `<api>:<stage>`. */
function stageOf(text: string | undefined): Required<Pick<ApiStage, 'apiId' | 'stage'>> {
  const [apiId, stage, ...rest] = (text ?? '').split(':');
  if (!apiId || !stage || rest.length > 0) throw badRequest('Invalid API Stage specified');
  return { apiId, stage };
}

const isStage =
  (wanted: { apiId?: string | undefined; stage?: string | undefined }) =>
  (one: ApiStage): boolean =>
    one.apiId === wanted.apiId && one.stage === wanted.stage;

const rates = (
  path: string,
  of: (draft: UsagePlanRecord, step: PatchStep) => ThrottleSettings,
): PatchRule<UsagePlanRecord>[] => [
  {
    path: `${path}/rateLimit`,
    ops: ['replace', 'add'],
    apply(draft, step) {
      of(draft, step).rateLimit = numberOf(step);
    },
  },
  {
    path: `${path}/burstLimit`,
    ops: ['replace', 'add'],
    apply(draft, step) {
      of(draft, step).burstLimit = integerOf(step);
    },
  },
];

/** Returns the rates of a method within a stage of the plan. */
function methodRates(draft: UsagePlanRecord, { names }: PatchStep): ThrottleSettings {
  const [stage = '', path = '', method = ''] = names;
  const found = draft.apiStages?.find(isStage(stageOf(stage)));
  if (!found) throw badRequest('Invalid API Stage specified');
  const key = `${path}/${method}`;
  const known = found.throttle?.[key] ?? {};
  found.throttle = { ...found.throttle, [key]: known };
  return known;
}

/** Parses method rates by name, for example `{"/pets/GET": {"rateLimit": 1, "burstLimit": 2}}`. */
function ratesOf(step: PatchStep): Record<string, ThrottleSettings> {
  const refuse = () => badRequest(`Invalid patch value specified for path ${step.path}`);
  let given: unknown;
  try {
    given = parseJson(givenValue(step));
  } catch {
    throw refuse();
  }
  if (!isObject(given)) throw refuse();
  const rates: Record<string, ThrottleSettings> = {};
  for (const [name, one] of Object.entries(given)) {
    const { rateLimit, burstLimit } = (one ?? {}) as Record<string, unknown>;
    for (const limit of [rateLimit, burstLimit]) if (limit !== undefined && typeof limit !== 'number') throw refuse();
    rates[name] = { rateLimit, burstLimit } as ThrottleSettings;
  }
  return rates;
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/patch-operations.html#UpdateUsagePlan-Patch */
export const USAGE_PLAN_TABLE: PatchTable<UsagePlanRecord> = {
  rules: [
    {
      path: '/name',
      ops: ['replace'],
      apply(draft, step) {
        draft.name = givenValue(step);
      },
    },
    text('/description', 'description'),
    optionalText('/productCode', 'productCode', ['add', 'replace', 'remove']),
    {
      path: '/apiStages',
      ops: ['add', 'remove'],
      apply(draft, step) {
        const wanted = stageOf(step.value);
        const others = (draft.apiStages ?? []).filter((one) => !isStage(wanted)(one));
        draft.apiStages = step.op === 'remove' ? others : [...others, wanted];
      },
    },
    ...rates('/throttle', (draft) => {
      draft.throttle ??= {};
      return draft.throttle;
    }),
    {
      path: '/throttle',
      ops: ['remove'],
      apply(draft) {
        delete draft.throttle;
      },
    },
    {
      path: '/quota/limit',
      ops: ['replace', 'add'],
      apply(draft, step) {
        draft.quota = { offset: 0, ...draft.quota, limit: integerOf(step) };
      },
    },
    {
      path: '/quota/offset',
      ops: ['replace', 'add'],
      apply(draft, step) {
        draft.quota = { ...draft.quota, offset: integerOf(step) };
      },
    },
    {
      path: '/quota/period',
      ops: ['replace', 'add'],
      apply(draft, step) {
        draft.quota = { offset: 0, ...draft.quota, period: wordOf(step, PERIODS) };
      },
    },
    {
      path: '/quota',
      ops: ['remove'],
      apply(draft) {
        delete draft.quota;
      },
    },
    ...rates('/apiStages/{stage}/throttle/{path+}/{method}', methodRates),
    {
      path: '/apiStages/{stage}/throttle/{path}/{method}',
      ops: ['remove'],
      apply(draft, { names: [stage = '', path = '', method = ''] }) {
        delete draft.apiStages?.find(isStage(stageOf(stage)))?.throttle?.[`${path}/${method}`];
      },
    },
    {
      path: '/apiStages/{stage}/throttle',
      ops: ['add', 'replace', 'remove'],
      apply(draft, step) {
        const found = draft.apiStages?.find(isStage(stageOf(step.names[0])));
        if (!found) throw badRequest('Invalid API Stage specified');
        if (step.op === 'remove') delete found.throttle;
        else found.throttle = { ...(step.op === 'add' && found.throttle), ...ratesOf(step) };
      },
    },
  ],
  refuse: refuseListing,
};
