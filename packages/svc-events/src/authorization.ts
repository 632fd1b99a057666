import {
  type AuthorizationRequest,
  type ContextValue,
  type ServiceAuthorization,
  type TagFacts,
  tagCondition,
} from '@emu/core';
import { busArn, eventsArn, parseArchiveArn, parseBusArn, parseRuleArn, ruleArn, sourceArn } from './arns.ts';
import type { EventsOperations, PutEventsRequestEntry, PutRuleRequest, Tag } from './generated/events.ts';
import { type EventsContext, stateAt } from './lookup.ts';
import { DEFAULT_BUS } from './records.ts';
import type { Bus, EventsState } from './state.ts';

/** Facts that EventBridge's condition keys stand for, by key without `events:`, in lower case. */
type Facts = Readonly<Record<string, ContextValue | undefined>>;

const record = (tags: readonly Readonly<Tag>[] = []): Record<string, string> =>
  Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value]));

function needs(
  operation: string,
  resource: string,
  facts: Facts = {},
  tags: TagFacts = {},
  policy?: Pick<AuthorizationRequest, 'resourcePolicy'>,
): AuthorizationRequest {
  return {
    action: `events:${operation}`,
    resource,
    ...policy,
    condition: (key) => (key.startsWith('events:') ? facts[key.slice('events:'.length)] : tagCondition(key, tags)),
  };
}

/** A bus that a request names, whether it is there or not. */
function busOf(nameOrArn: string | undefined, ctx: EventsContext): { arn: string; name: string; bus: Bus | undefined } {
  const place = nameOrArn === undefined ? undefined : parseBusArn(nameOrArn);
  const name = place?.name ?? nameOrArn ?? DEFAULT_BUS;
  const state = place ? stateAt(place.accountId, place.region, ctx) : ctx.state;
  return { arn: busArn(place ?? ctx, name), name, bus: state?.bus(name) };
}

const policyOf = (arn: string, bus: Bus | undefined): Pick<AuthorizationRequest, 'resourcePolicy'> =>
  bus?.policy === undefined ? {} : { resourcePolicy: { document: bus.policy, id: arn } };

/** The permission for an operation on a bus, whose policy takes part. */
function onBus(operation: string, nameOrArn: string | undefined, ctx: EventsContext, facts?: Facts, request?: Tag[]) {
  const { arn, bus } = busOf(nameOrArn, ctx);
  return needs(
    operation,
    arn,
    facts,
    { resource: record(bus?.tags), ...(request && { request: record(request) }) },
    policyOf(arn, bus),
  );
}

/** The permission for an operation on a rule; the policy of its bus takes part. */
function onRule(
  operation: string,
  name: string,
  nameOrArn: string | undefined,
  ctx: EventsContext,
  facts: Facts = {},
  request?: Tag[],
) {
  const { arn, name: busName, bus } = busOf(nameOrArn, ctx);
  const place = parseBusArn(arn)!;
  const rule = stateAt(place.accountId, place.region, ctx)?.rule(busName, name);
  return needs(
    operation,
    ruleArn(place, busName, name),
    { creatoraccount: rule?.createdBy ?? ctx.accountId, managedby: undefined, ...facts },
    { resource: record(rule?.tags), ...(request && { request: record(request) }) },
    policyOf(arn, bus),
  );
}

/** A value or values of a pattern's member, as far as they are plain texts. */
function patternValues(pattern: string | undefined, ...path: string[]): string[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(pattern ?? '{}');
  } catch {
    return undefined;
  }
  for (const name of path) value = (value as Record<string, unknown> | undefined)?.[name];
  const texts = Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  return texts.length ? texts : undefined;
}

/** Facts of a pattern, by which who may make which rules can be told. */
const patternFacts = ({ EventPattern: pattern }: PutRuleRequest): Facts => ({
  source: patternValues(pattern, 'source'),
  'detail-type': patternValues(pattern, 'detail-type'),
  'detail.eventtypecode': patternValues(pattern, 'detail', 'eventTypeCode'),
  'detail.service': patternValues(pattern, 'detail', 'service'),
  'detail.useridentity.principalid': patternValues(pattern, 'detail', 'userIdentity', 'principalId'),
});

/** A permission for each bus, with the facts of each entry. */
const onEntries = (entries: readonly PutEventsRequestEntry[], ctx: EventsContext): AuthorizationRequest[] =>
  entries.map((entry) =>
    onBus('PutEvents', entry.EventBusName, ctx, {
      source: entry.Source,
      'detail-type': entry.DetailType,
      eventbusinvocation: 'false',
    }),
  );

/** The permission for an operation on something that is known by its name. */
const onNamed = (operation: string, kind: 'archive' | 'replay' | 'endpoint', name: string, ctx: EventsContext) =>
  needs(operation, eventsArn(ctx, `${kind}/${name}`));

/** ARN of a connection or API destination by name: with its id where it is there. */
function withId(kind: 'connection' | 'api-destination', name: string, ctx: EventsContext): string {
  const { connections, apiDestinations } = ctx.state;
  const id = (kind === 'connection' ? connections : apiDestinations).get(name)?.id;
  return eventsArn(ctx, `${kind}/${name}${id === undefined ? '' : `/${id}`}`);
}

/** Tags are those of a rule or a bus. */
function onTagged(operation: string, arn: string, ctx: EventsContext, tags: Pick<TagFacts, 'request' | 'keys'> = {}) {
  const rule = parseRuleArn(arn);
  const bus = parseBusArn(arn);
  const there = rule ? ctx.state.rule(rule.bus, rule.name)?.tags : bus && ctx.state.bus(bus.name)?.tags;
  return needs(operation, arn, {}, { resource: record(there), ...tags });
}

/**
 * What the operations of EventBridge need.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoneventbridge.html
 */
export const authorization: ServiceAuthorization<EventsOperations, EventsState> = {
  operations: {
    ActivateEventSource: ({ Name }, ctx) => needs('ActivateEventSource', sourceArn(ctx.region, Name)),
    DeactivateEventSource: ({ Name }, ctx) => needs('DeactivateEventSource', sourceArn(ctx.region, Name)),
    DescribeEventSource: ({ Name }, ctx) => needs('DescribeEventSource', sourceArn(ctx.region, Name)),
    CreatePartnerEventSource: ({ Name }, ctx) => needs('CreatePartnerEventSource', sourceArn(ctx.region, Name)),
    DeletePartnerEventSource: ({ Name }, ctx) => needs('DeletePartnerEventSource', sourceArn(ctx.region, Name)),
    DescribePartnerEventSource: ({ Name }, ctx) => needs('DescribePartnerEventSource', sourceArn(ctx.region, Name)),
    ListPartnerEventSourceAccounts: ({ EventSourceName }, ctx) =>
      needs('ListPartnerEventSourceAccounts', sourceArn(ctx.region, EventSourceName)),
    CreateEventBus: ({ Name, Tags }, ctx) => {
      const create = onBus('CreateEventBus', Name, ctx, {}, Tags);
      return Tags?.length ? [create, onBus('TagResource', Name, ctx, {}, Tags)] : create;
    },
    DeleteEventBus: ({ Name }, ctx) => onBus('DeleteEventBus', Name, ctx),
    DescribeEventBus: ({ Name }, ctx) => onBus('DescribeEventBus', Name, ctx),
    UpdateEventBus: ({ Name }, ctx) => onBus('UpdateEventBus', Name, ctx),
    PutPermission: ({ EventBusName }, ctx) => onBus('PutPermission', EventBusName, ctx),
    RemovePermission: ({ EventBusName }, ctx) => onBus('RemovePermission', EventBusName, ctx),
    PutEvents: ({ Entries }, ctx) => onEntries(Entries, ctx),
    PutRule: (input, ctx) => {
      const { Name, EventBusName, Tags } = input;
      const put = onRule('PutRule', Name, EventBusName, ctx, patternFacts(input), Tags);
      return Tags?.length ? [put, onRule('TagResource', Name, EventBusName, ctx, {}, Tags)] : put;
    },
    DeleteRule: ({ Name, EventBusName }, ctx) => onRule('DeleteRule', Name, EventBusName, ctx),
    DescribeRule: ({ Name, EventBusName }, ctx) => onRule('DescribeRule', Name, EventBusName, ctx),
    DisableRule: ({ Name, EventBusName }, ctx) => onRule('DisableRule', Name, EventBusName, ctx),
    EnableRule: ({ Name, EventBusName }, ctx) => onRule('EnableRule', Name, EventBusName, ctx),
    PutTargets: ({ Rule, EventBusName, Targets }, ctx) =>
      onRule('PutTargets', Rule, EventBusName, ctx, { targetarn: Targets.map(({ Arn }) => Arn) }),
    RemoveTargets: ({ Rule, EventBusName }, ctx) => onRule('RemoveTargets', Rule, EventBusName, ctx),
    ListTargetsByRule: ({ Rule, EventBusName }, ctx) => onRule('ListTargetsByRule', Rule, EventBusName, ctx),
    ListRules: ({ EventBusName }, ctx) => onBus('ListRules', EventBusName, ctx),
    TagResource: ({ ResourceARN, Tags }, ctx) => onTagged('TagResource', ResourceARN, ctx, { request: record(Tags) }),
    UntagResource: ({ ResourceARN, TagKeys }, ctx) => onTagged('UntagResource', ResourceARN, ctx, { keys: TagKeys }),
    ListTagsForResource: ({ ResourceARN }, ctx) => onTagged('ListTagsForResource', ResourceARN, ctx),
    CreateArchive: ({ ArchiveName, EventSourceArn }, ctx) => [
      onNamed('CreateArchive', 'archive', ArchiveName, ctx),
      needs('CreateArchive', EventSourceArn),
    ],
    UpdateArchive: ({ ArchiveName }, ctx) => onNamed('UpdateArchive', 'archive', ArchiveName, ctx),
    DescribeArchive: ({ ArchiveName }, ctx) => onNamed('DescribeArchive', 'archive', ArchiveName, ctx),
    DeleteArchive: ({ ArchiveName }, ctx) => onNamed('DeleteArchive', 'archive', ArchiveName, ctx),
    StartReplay: ({ ReplayName, EventSourceArn }, ctx) => [
      onNamed('StartReplay', 'replay', ReplayName, ctx),
      onNamed('StartReplay', 'archive', parseArchiveArn(EventSourceArn) ?? '', ctx),
    ],
    CancelReplay: ({ ReplayName }, ctx) => onNamed('CancelReplay', 'replay', ReplayName, ctx),
    DescribeReplay: ({ ReplayName }, ctx) => onNamed('DescribeReplay', 'replay', ReplayName, ctx),
    CreateEndpoint: ({ Name }, ctx) => onNamed('CreateEndpoint', 'endpoint', Name, ctx),
    UpdateEndpoint: ({ Name }, ctx) => onNamed('UpdateEndpoint', 'endpoint', Name, ctx),
    DescribeEndpoint: ({ Name }, ctx) => onNamed('DescribeEndpoint', 'endpoint', Name, ctx),
    DeleteEndpoint: ({ Name }, ctx) => onNamed('DeleteEndpoint', 'endpoint', Name, ctx),
    CreateConnection: ({ Name }, ctx) => needs('CreateConnection', withId('connection', Name, ctx)),
    UpdateConnection: ({ Name }, ctx) => needs('UpdateConnection', withId('connection', Name, ctx)),
    DescribeConnection: ({ Name }, ctx) => needs('DescribeConnection', withId('connection', Name, ctx)),
    DeauthorizeConnection: ({ Name }, ctx) => needs('DeauthorizeConnection', withId('connection', Name, ctx)),
    DeleteConnection: ({ Name }, ctx) => needs('DeleteConnection', withId('connection', Name, ctx)),
    CreateApiDestination: ({ Name, ConnectionArn }, ctx) => [
      needs('CreateApiDestination', withId('api-destination', Name, ctx)),
      needs('CreateApiDestination', ConnectionArn),
    ],
    UpdateApiDestination: ({ Name }, ctx) => needs('UpdateApiDestination', withId('api-destination', Name, ctx)),
    DescribeApiDestination: ({ Name }, ctx) => needs('DescribeApiDestination', withId('api-destination', Name, ctx)),
    DeleteApiDestination: ({ Name }, ctx) => needs('DeleteApiDestination', withId('api-destination', Name, ctx)),
  },
};
