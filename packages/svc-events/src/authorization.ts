import {
  type AuthorizationRequest,
  type ContextValue,
  permissionOn,
  type ResourceAddress,
  type ServiceAuthorization,
  stateInRegion,
} from '@emu/core/service';
import type { EventsOperations, PutEventsRequestEntry, PutRuleRequest } from '@emu/service-types/events';
import type { EventsInternalOperations } from '@emu/service-types/internal/events';
import type { EventsContext } from './context.ts';
import { DEFAULT_BUS } from './records.ts';
import {
  apiDestinationType,
  archiveType,
  busAddress,
  busType,
  endpointType,
  replayType,
  ruleKey,
  ruleType,
} from './resources.ts';
import type { EventsState } from './state.ts';

/** Values of EventBridge's condition keys, keyed by lower-case name without `events:`. */
type ConditionValues = Readonly<Record<string, ContextValue | undefined>>;

const withValues = (request: AuthorizationRequest, values: ConditionValues): AuthorizationRequest => ({
  ...request,
  condition: (key) => (key.startsWith('events:') ? values[key.slice('events:'.length)] : request.condition?.(key)),
});

/** Returns the permission for an operation on a bus, to which the bus policy applies. */
function onBus(
  operation: string,
  nameOrArn: string | undefined,
  ctx: EventsContext,
  values: ConditionValues = {},
): AuthorizationRequest {
  const address = busAddress(nameOrArn, ctx);
  return withValues(permissionOn(`events:${operation}`, busType, address, ctx.handle), values);
}

/** Returns the permission for an operation on a rule, to which the policy of its bus applies. */
function onRule(
  operation: string,
  name: string,
  { place, key }: ResourceAddress<{ name: string }>,
  ctx: EventsContext,
  values: ConditionValues = {},
): AuthorizationRequest {
  const address = { place, key: ruleKey(key.name, name) };
  const request = permissionOn(`events:${operation}`, ruleType, address, ctx.handle);
  const { resourcePolicy } = permissionOn(request.action, busType, { place, key }, ctx.handle);
  const rule = stateInRegion(place, ctx)?.rule(key.name, name);
  return withValues(
    { ...request, resourcePolicy },
    { creatoraccount: rule?.createdBy ?? ctx.accountId, managedby: rule?.managedBy, ...values },
  );
}

/** Returns the permissions for an operation that names a rule and a bus. */
const ofRule =
  (operation: string) =>
  (input: { Name: string; EventBusName?: string | undefined }, ctx: EventsContext): AuthorizationRequest =>
    onRule(operation, input.Name, busAddress(input.EventBusName, ctx), ctx);

/** Returns the strings of a pattern member; other matchers are skipped. */
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

/** Returns the condition keys with values from an event pattern. */
const valuesOfPattern = ({ EventPattern: pattern }: PutRuleRequest): ConditionValues => ({
  source: patternValues(pattern, 'source'),
  'detail-type': patternValues(pattern, 'detail-type'),
  'detail.eventtypecode': patternValues(pattern, 'detail', 'eventTypeCode'),
  'detail.service': patternValues(pattern, 'detail', 'service'),
  'detail.useridentity.principalid': patternValues(pattern, 'detail', 'userIdentity', 'principalId'),
});

/** Returns one permission for each bus, with condition values from each entry. */
const onEntries = (entries: readonly PutEventsRequestEntry[], ctx: EventsContext): AuthorizationRequest[] =>
  entries.map((entry) =>
    onBus('PutEvents', entry.EventBusName, ctx, {
      source: entry.Source,
      'detail-type': entry.DetailType,
      eventbusinvocation: 'false',
    }),
  );

/** Returns the permission for a tag operation on a rule or a bus. */
function onTagged(operation: string, arn: string, ctx: EventsContext): AuthorizationRequest {
  const rule = ruleType.parse(arn);
  if (rule) {
    const { bus = DEFAULT_BUS, name } = rule.key;
    return onRule(operation, name, { place: rule.place, key: { name: bus } }, ctx);
  }
  return busType.parse(arn) ? onBus(operation, arn, ctx) : { action: `events:${operation}`, resource: arn };
}

/** Returns the permissions for an operation on the created resource and on the resources that it refers to. */
const createdFrom = (operation: string, made: string, source: string): AuthorizationRequest[] =>
  [made, source].map((resource) => ({ action: `events:${operation}`, resource }));

/** Returns the permissions for an operation on a global endpoint. */
const ofEndpoint =
  (operation: string) =>
  ({ Name: name }: { Name: string }, ctx: EventsContext): AuthorizationRequest =>
    permissionOn(`events:${operation}`, endpointType, { key: { name }, place: ctx }, ctx.handle);

/**
 * Permissions that the operations of EventBridge require.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoneventbridge.html
 */
export const authorization: ServiceAuthorization<EventsOperations & EventsInternalOperations, EventsState> = {
  roles: {
    CreateEndpoint: { RoleArn: 'events' },
    PutRule: { RoleArn: 'events' },
    PutTargets: { 'Targets.RoleArn': 'events' },
    UpdateEndpoint: { RoleArn: 'events' },
  },
  tagOnCreate: {
    CreateEventBus: 'TagResource',
    // The pattern is no condition of the permission to tag.
    PutRule: ({ Name, EventBusName }, ctx) => onRule('TagResource', Name, busAddress(EventBusName, ctx), ctx),
  },
  withoutResource: { PutPermission: true, RemovePermission: true },
  operations: {
    // The managed policy AmazonConnectCampaignsServiceLinkedRolePolicy grants it on `rule/*`.
    ListRules: ({ EventBusName }, ctx) => onRule('ListRules', '*', busAddress(EventBusName, ctx), ctx),
    CreateEventBus: (input, ctx) => onBus('CreateEventBus', input.Name, ctx),
    PutEvents: ({ Entries }, ctx) => onEntries(Entries, ctx),
    PutRule: (input, ctx) =>
      onRule('PutRule', input.Name, busAddress(input.EventBusName, ctx), ctx, valuesOfPattern(input)),
    DeleteRule: ofRule('DeleteRule'),
    DescribeRule: ofRule('DescribeRule'),
    DisableRule: ofRule('DisableRule'),
    EnableRule: ofRule('EnableRule'),
    PutTargets: ({ Rule, EventBusName, Targets }, ctx) =>
      onRule('PutTargets', Rule, busAddress(EventBusName, ctx), ctx, { targetarn: Targets.map(({ Arn }) => Arn) }),
    RemoveTargets: ({ Rule, EventBusName }, ctx) => onRule('RemoveTargets', Rule, busAddress(EventBusName, ctx), ctx),
    ListTargetsByRule: ({ Rule, EventBusName }, ctx) =>
      onRule('ListTargetsByRule', Rule, busAddress(EventBusName, ctx), ctx),
    TagResource: (input, ctx) => onTagged('TagResource', input.ResourceARN, ctx),
    UntagResource: (input, ctx) => onTagged('UntagResource', input.ResourceARN, ctx),
    ListTagsForResource: ({ ResourceARN }, ctx) => onTagged('ListTagsForResource', ResourceARN, ctx),
    CreateArchive: ({ ArchiveName, EventSourceArn }, ctx) =>
      createdFrom('CreateArchive', archiveType.arn({ name: ArchiveName }, ctx), EventSourceArn),
    StartReplay: ({ ReplayName, EventSourceArn }, ctx) => {
      const archive = archiveType.parse(EventSourceArn)?.key ?? { name: '' };
      return createdFrom('StartReplay', replayType.arn({ name: ReplayName }, ctx), archiveType.arn(archive, ctx));
    },
    CreateApiDestination: ({ Name, ConnectionArn }, ctx) => [
      permissionOn('events:CreateApiDestination', apiDestinationType, { key: { name: Name }, place: ctx }, ctx.handle),
      { action: 'events:CreateApiDestination', resource: ConnectionArn },
    ],
    CreateEndpoint: ofEndpoint('CreateEndpoint'),
    UpdateEndpoint: ofEndpoint('UpdateEndpoint'),
    SendHttpRequest: ({ Arn }) => ({
      action: apiDestinationType.parse(Arn) ? 'events:InvokeApiDestination' : 'execute-api:Invoke',
      resource: Arn,
    }),
    // https://docs.aws.amazon.com/step-functions/latest/dg/call-https-apis.html#connect-http-task-permissions
    SendConnectionRequest: ({ ConnectionArn, StateMachineArn, Url, Method }) => {
      const values: ConditionValues = { 'states:httpendpoint': Url, 'states:httpmethod': Method };
      return [
        { action: 'states:InvokeHTTPEndpoint', resource: StateMachineArn, condition: (key) => values[key] },
        { action: 'events:RetrieveConnectionCredentials', resource: ConnectionArn },
      ];
    },
  },
};
