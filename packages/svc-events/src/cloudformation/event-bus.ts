import {
  defined,
  defineProvider,
  documentValue,
  everyItem,
  identifierOf,
  identifierParts,
  type Properties,
  pick,
  run,
  sameValue,
  type TaggedProperties,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, type ProviderContext } from '@emu/core/service';
import { textOf } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };

const GONE = 'ResourceNotFoundException';
const DEFAULT_BUS = 'default';
/** Properties that UpdateEventBus changes. */
const CHANGEABLE = ['Description', 'DeadLetterConfig', 'KmsKeyIdentifier', 'LogConfig'] as const;
/** Log settings of a bus whose template has none. */
const NO_LOGS = { Level: 'OFF', IncludeDetail: 'NONE' };

interface BusProperties extends TaggedProperties {
  DeadLetterConfig?: Properties;
  Description?: string;
  EventSourceName?: string;
  KmsKeyIdentifier?: string;
  LogConfig?: Properties;
  Name: string;
  Policy?: unknown;
}

interface BusPolicyProperties extends Properties {
  EventBusName?: string;
  Statement?: unknown;
  StatementId: string;
}

const busOf = (Name: string, ctx: ProviderContext) => unless(ctx.call('events', 'DescribeEventBus', { Name }), GONE);

async function changePolicy(
  EventBusName: string,
  before: unknown,
  after: unknown,
  ctx: ProviderContext,
): Promise<void> {
  if (sameValue(before, after)) return;
  await (after === undefined
    ? unless(ctx.call('events', 'RemovePermission', { EventBusName, RemoveAllPermissions: true }), GONE)
    : ctx.call('events', 'PutPermission', { EventBusName, Policy: textOf(after) }));
}

/**
 * Event buses.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-events-eventbus.html
 */
export const eventBus: AnyResourceProvider = defineProvider<BusProperties>({
  typeName: 'AWS::Events::EventBus',
  model,
  handles: [
    'DeadLetterConfig',
    'Description',
    'EventSourceName',
    'KmsKeyIdentifier',
    'LogConfig',
    'Name',
    'Policy',
    'Tags',
  ],

  async create({ Policy, ...properties }, ctx) {
    const { Name } = properties;
    await run(ctx, 'events', 'CreateEventBus', properties);
    ctx.created(Name);
    await changePolicy(Name, undefined, Policy, ctx);
    return { identifier: Name };
  },

  async read(Name, ctx) {
    const found = await busOf(Name, ctx);
    if (!found) return undefined;
    const { Tags } = await ctx.call('events', 'ListTagsForResource', { ResourceARN: found.Arn! });
    return {
      properties: defined({
        Name,
        DeadLetterConfig: unlessEmpty(found.DeadLetterConfig) as Properties | undefined,
        Description: found.Description || undefined,
        KmsKeyIdentifier: found.KmsKeyIdentifier,
        LogConfig: found.LogConfig?.Level === 'OFF' ? undefined : (found.LogConfig as Properties | undefined),
        Policy: documentValue(found.Policy),
        Tags: unlessEmpty(Tags),
      }) as BusProperties,
      attributes: defined({ Arn: found.Arn, Name, Policy: found.Policy }),
    };
  },

  async update(Name, previous, desired, ctx) {
    const { Description = '', DeadLetterConfig = {}, KmsKeyIdentifier = '', LogConfig = NO_LOGS } = desired;
    if (!sameValue(pick(previous, CHANGEABLE), pick(desired, CHANGEABLE)))
      await run(ctx, 'events', 'UpdateEventBus', {
        Name,
        Description,
        DeadLetterConfig,
        KmsKeyIdentifier,
        LogConfig,
      });
    await changePolicy(Name, previous.Policy, desired.Policy, ctx);
    const ResourceARN = (await busOf(Name, ctx))!.Arn!;
    await changeTagsOf(ResourceARN, previous, desired, ctx);
  },

  async delete(Name, _properties, ctx) {
    await unless(ctx.call('events', 'DeleteEventBus', { Name }), GONE);
  },

  list: (ctx) =>
    everyItem(async (NextToken) => {
      const page = await ctx.call('events', 'ListEventBuses', defined({ NextToken }));
      return [page.EventBuses?.map((found) => found.Name!), page.NextToken] as const;
    }),
});

/** Merges a single statement into the policy, because PutPermission replaces a policy as a whole. */
async function putStatement(bus: string, properties: BusPolicyProperties, ctx: ProviderContext): Promise<void> {
  const { StatementId, Statement, EventBusName: _, ...permission } = properties;
  if (Statement === undefined) {
    await run(ctx, 'events', 'PutPermission', { EventBusName: bus, StatementId, ...permission });
    return;
  }
  const statements = (await statementsOf(bus, ctx)).filter(({ Sid }) => Sid !== StatementId);
  const policy = { Version: '2012-10-17', Statement: [...statements, { Sid: StatementId, ...(Statement as object) }] };
  await ctx.call('events', 'PutPermission', { EventBusName: bus, Policy: JSON.stringify(policy) });
}

async function statementsOf(bus: string, ctx: ProviderContext): Promise<readonly Properties[]> {
  const policy = documentValue((await busOf(bus, ctx))?.Policy) as { Statement?: Properties[] } | undefined;
  return policy?.Statement ?? [];
}

/** Properties of a statement that PutPermission accepts as parameters. */
function partsOf({ Action, Principal, Condition }: Properties): Properties {
  const account = (Principal as { AWS?: string } | undefined)?.AWS;
  const [[Type, keys] = []] = Object.entries((Condition ?? {}) as Record<string, Record<string, string>>);
  const [[Key, Value] = []] = Object.entries(keys ?? {});
  return defined({
    Action,
    Principal: account === undefined ? Principal : (/^arn:[^:]+:iam::(\d{12}):root$/.exec(account)?.[1] ?? account),
    Condition: Type === undefined ? undefined : { Type, Key, Value },
  });
}

/**
 * Statements of event bus policies.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-events-eventbuspolicy.html
 */
export const eventBusPolicy: AnyResourceProvider = defineProvider<BusPolicyProperties>({
  typeName: 'AWS::Events::EventBusPolicy',
  model,
  handles: ['Action', 'Condition', 'EventBusName', 'Principal', 'Statement', 'StatementId'],

  async create(properties, ctx) {
    const bus = properties.EventBusName ?? DEFAULT_BUS;
    await putStatement(bus, properties, ctx);
    return { identifier: identifierOf(bus, properties.StatementId) };
  },

  async read(identifier, ctx, applied) {
    const [EventBusName, StatementId] = identifierParts(identifier, 2) as [string, string];
    const found = (await statementsOf(EventBusName, ctx)).find(({ Sid }) => Sid === StatementId);
    if (!found) return undefined;
    // A template has either a statement or its separate parts.
    const statement = applied?.Action === undefined ? { Statement: found } : partsOf(found);
    return { properties: { EventBusName, StatementId, ...statement }, attributes: {} };
  },

  async update(identifier, _previous, desired, ctx) {
    const [bus] = identifierParts(identifier, 2) as [string];
    await putStatement(bus, desired, ctx);
  },

  async delete(identifier, _properties, ctx) {
    const [EventBusName, StatementId] = identifierParts(identifier, 2) as [string, string];
    await unless(ctx.call('events', 'RemovePermission', { EventBusName, StatementId }), GONE);
  },
});
