import {
  type AnyQuota,
  defineQuotas,
  listedQuotas,
  type NumberQuota,
  PER_SECOND,
  type Place,
  type RateQuota,
  requestRate,
} from '@emu/core/service';
import type { EventsOperations } from '@emu/service-types/events';
import { eventsError, limitExceeded } from './errors.ts';
import { busAddress } from './resources.ts';
import type { EventsState } from './state.ts';

type Rate = RateQuota<EventsOperations, EventsState>;
type Named = 'apiDestinations' | 'connections' | 'endpoints';

const PAGE = 'https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-quota.html';
const events = (code: string, name: string, defaultValue: Rate['defaultValue'], adjustable: boolean) => ({
  serviceCode: 'events',
  code,
  name,
  defaultValue,
  adjustable,
  page: PAGE,
});

/** Limit per account and region of a resource with a name. */
const named = (
  code: string,
  name: string,
  most: number,
  of: Named,
  operation: 'CreateApiDestination' | 'CreateConnection' | 'CreateEndpoint',
): NumberQuota<EventsOperations, EventsState> => ({
  ...events(code, name, most, true),
  usage: (state) => state[of].size,
  grows: {
    [operation]: ({ Name }: { Name: string }, state: EventsState) =>
      state[of].has(Name) ? undefined : state[of].size + 1,
  },
  error: limitExceeded,
});

const rate = (
  code: string,
  name: string,
  perSecond: Rate['defaultValue'],
  adjustable: boolean,
  operations: readonly (keyof EventsOperations)[],
): Rate =>
  requestRate<EventsOperations, EventsState>(
    events(code, `${name} in transactions per second`, perSecond, adjustable),
    operations,
    () => eventsError('ThrottlingException', 'Rate exceeded', { status: 400 }),
  );

/** Returns the name of a bus in this account and region; undefined for another account or region. */
function ownBus(nameOrArn: string | undefined, state: EventsState, place: Place): string | undefined {
  const bus = busAddress(nameOrArn, place);
  return bus.place.accountId === state.accountId && bus.place.region === state.region ? bus.key.name : undefined;
}

const PUT_EVENTS: Readonly<Record<string, number>> = {
  'us-east-1': 10_000,
  'us-west-2': 10_000,
  'eu-west-1': 10_000,
  'us-east-2': 2400,
  'eu-central-1': 2400,
  'us-west-1': 1200,
  'ap-northeast-1': 1200,
  'ap-southeast-1': 1200,
  'ap-southeast-2': 1200,
  'eu-west-2': 1200,
  'af-south-1': 400,
  'ap-northeast-3': 400,
  'ap-southeast-3': 400,
  'eu-south-1': 400,
};

/** Rate shared by operations without a rate of their own. */
const OTHERS: readonly (keyof EventsOperations)[] = [
  'ActivateEventSource',
  'CancelReplay',
  'CreateApiDestination',
  'CreateArchive',
  'CreateConnection',
  'CreateEventBus',
  'CreatePartnerEventSource',
  'DeactivateEventSource',
  'DeauthorizeConnection',
  'DeleteApiDestination',
  'DeleteArchive',
  'DeleteConnection',
  'DeleteEventBus',
  'DeletePartnerEventSource',
  'DeleteRule',
  'DescribeApiDestination',
  'DescribeArchive',
  'DescribeConnection',
  'DescribeEndpoint',
  'DescribeEventBus',
  'DescribeEventSource',
  'DescribePartnerEventSource',
  'DescribeReplay',
  'DescribeRule',
  'DisableRule',
  'EnableRule',
  'ListApiDestinations',
  'ListArchives',
  'ListConnections',
  'ListEndpoints',
  'ListEventBuses',
  'ListEventSources',
  'ListPartnerEventSourceAccounts',
  'ListPartnerEventSources',
  'ListReplays',
  'ListRuleNamesByTarget',
  'ListRules',
  'ListTagsForResource',
  'ListTargetsByRule',
  'PutPartnerEvents',
  'PutPermission',
  'PutRule',
  'PutTargets',
  'RemovePermission',
  'RemoveTargets',
  'StartReplay',
  'TagResource',
  'TestEventPattern',
  'UntagResource',
  'UpdateApiDestination',
  'UpdateArchive',
  'UpdateConnection',
  'UpdateEventBus',
];

/** Quotas of EventBridge that emu can enforce. */
export const quotas: readonly AnyQuota[] = defineQuotas<EventsOperations, EventsState>([
  {
    ...events('L-244521F2', 'Number of rules', (region) => (/^(af|eu)-south-1$/.test(region) ? 100 : 300), true),
    grows: {
      PutRule({ Name, EventBusName }, state, place) {
        const bus = ownBus(EventBusName, state, place);
        return bus === undefined || state.rule(bus, Name) ? undefined : state.ruleNumberOf(bus) + 1;
      },
    },
    error: limitExceeded,
  },
  {
    ...events('L-388D1D08', 'Targets per rule', 5, false),
    grows: {
      PutTargets({ Rule, EventBusName, Targets }, state, place) {
        const bus = ownBus(EventBusName, state, place);
        const rule = bus === undefined ? undefined : state.rule(bus, Rule);
        if (!rule) return undefined;
        const ids = new Set(rule.targets.map(({ Id }) => Id));
        const before = ids.size;
        for (const { Id } of Targets) ids.add(Id);
        return ids.size > before ? ids.size : undefined;
      },
    },
    error: limitExceeded,
  },
  {
    ...events('L-658A4FD9', 'Event buses', 100, true),
    usage: ({ buses }) => buses.size,
    grows: { CreateEventBus: ({ Name }, { buses }) => (buses.has(Name) ? undefined : buses.size + 1) },
    error: limitExceeded,
  },
  named('L-FB1C3A6D', 'Api destinations', 3000, 'apiDestinations', 'CreateApiDestination'),
  named('L-595D6D42', 'Connections', 3000, 'connections', 'CreateConnection'),
  named('L-EAC9A2AC', 'Endpoints', 100, 'endpoints', 'CreateEndpoint'),
  rate('L-9B653E91', 'PutEvents throttle limit', (region) => PUT_EVENTS[region] ?? 600, true, ['PutEvents']),
  rate('L-CB72B930', 'CreateEndpoint throttle limit', 5, false, ['CreateEndpoint']),
  rate('L-A8AFA624', 'UpdateEndpoint throttle limit', 5, false, ['UpdateEndpoint']),
  rate('L-5425B7E9', 'DeleteEndpoint throttle limit', 5, false, ['DeleteEndpoint']),
  rate('L-3C47459F', 'Throttle limit', 50, true, OTHERS),
  ...listedQuotas({ serviceCode: 'events', page: PAGE }, [
    ['L-755FD01C', 'Rate of invocations per API destination', 300, { adjustable: true, period: PER_SECOND }],
    ['L-664C5505', 'Event pattern size', 2048],
    ['L-FC354966', 'Event bus policy size', 10_240],
  ]),
]);
