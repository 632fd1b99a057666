import {
  type AnyQuota,
  defineQuotas,
  type ListedRow,
  listedQuotas,
  type RateQuota,
  requestRate,
} from '@emu/core/service';
import type { StepfunctionsOperations } from '@emu/service-types/stepfunctions';
import type { AwsError } from '@emu/wire';
import { stepfunctionsError } from './errors.ts';
import { activityType, machineType } from './resources.ts';
import type { StepfunctionsState } from './state.ts';

type Rate = RateQuota<StepfunctionsOperations, StepfunctionsState>;
type Name = keyof StepfunctionsOperations;

const PAGE = 'https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html';
const states = (code: string, name: string, defaultValue: Rate['defaultValue']) => ({
  serviceCode: 'states',
  code,
  name,
  defaultValue,
  adjustable: true,
  page: PAGE,
});

/** Regions with higher rates. */
const LARGE_REGIONS = new Set(['us-east-1', 'us-west-2', 'eu-west-1']);
const byRegion = (large: number, other: number) => (region: string) => (LARGE_REGIONS.has(region) ? large : other);

const throttled = (): AwsError => stepfunctionsError('ThrottlingException', 'Rate exceeded', { status: 400 });

/** Requests per second and burst, in large regions and others. */
type Bucket = readonly [perSecond: number, burst: number];

const rate = (code: string, name: string, counted: Rate['rate'], large: Bucket, other = large): Rate => ({
  ...requestRate<StepfunctionsOperations, StepfunctionsState>(
    states(code, `${name} throttle token refill rate per second`, byRegion(large[0], other[0])),
    counted,
    throttled,
  ),
  burst: byRegion(large[1], other[1]),
});

const SLOW: Bucket = [1, 100];
const TAGS: Bucket = [1, 200];
const CALLBACKS: readonly [Bucket, Bucket] = [
  [500, 3000],
  [300, 1500],
];

/** Rates of single operations. */
const RATES: readonly [operation: Name, code: string, large: Bucket, other?: Bucket][] = [
  ['CreateActivity', 'L-5D565FF6', SLOW],
  ['CreateStateMachine', 'L-E6D39AA7', SLOW],
  ['DeleteActivity', 'L-623044A2', SLOW],
  ['DeleteStateMachine', 'L-0169882E', SLOW],
  ['DescribeActivity', 'L-20F3BB5B', TAGS],
  ['DescribeExecution', 'L-4A5FADE3', [15, 300], [10, 250]],
  ['DescribeStateMachine', 'L-718BBE49', [20, 200]],
  ['DescribeStateMachineForExecution', 'L-0DC55683', TAGS],
  ['GetActivityTask', 'L-7DC9CADD', ...CALLBACKS],
  ['GetExecutionHistory', 'L-144D81B0', [20, 400]],
  ['ListActivities', 'L-818B33FC', [10, 100], [5, 100]],
  ['ListExecutions', 'L-1342F2DA', [5, 200], [2, 100]],
  ['ListStateMachines', 'L-9E82C0BD', [5, 100]],
  ['ListTagsForResource', 'L-81549E4C', SLOW],
  ['SendTaskFailure', 'L-91DFCA1B', ...CALLBACKS],
  ['SendTaskHeartbeat', 'L-2225B7C3', ...CALLBACKS],
  ['SendTaskSuccess', 'L-EACE83FA', ...CALLBACKS],
  ['StopExecution', 'L-898DDD72', [200, 1000], [25, 500]],
  ['TagResource', 'L-C314E25C', TAGS],
  ['UntagResource', 'L-191B5A6B', TAGS],
  ['UpdateStateMachine', 'L-7B25D42D', SLOW],
];

/** Whether a state machine is of type express, by any of its ARNs. */
function isExpress(arn: string, state: StepfunctionsState): boolean {
  const name = arn.split(/[:#]/)[6];
  return name !== undefined && state.machine(name)?.type === 'EXPRESS';
}

const startRate = (code: string, name: string, express: boolean, large: Bucket, other?: Bucket): Rate =>
  rate(
    code,
    name,
    { StartExecution: ({ stateMachineArn }, state) => (isExpress(stateMachineArn, state) === express ? 1 : 0) },
    large,
    other,
  );

/** Enforceable quotas of Step Functions, with burst sizes by rate. */
export const quotas: readonly AnyQuota[] = defineQuotas<StepfunctionsOperations, StepfunctionsState>([
  {
    ...states('L-B66B0F91', 'Registered state machines', 10_000),
    usage: (state) => machineType.count(state),
    grows: {
      CreateStateMachine: ({ name }, state) => (state.machine(name) ? undefined : machineType.count(state) + 1),
    },
    error: () =>
      stepfunctionsError('StateMachineLimitExceeded', 'The maximum number of state machines has been reached.'),
  },
  {
    ...states('L-A9562A73', 'Registered activities', 10_000),
    usage: (state) => activityType.count(state),
    grows: {
      CreateActivity: ({ name }, state) => (state.activity(name) ? undefined : activityType.count(state) + 1),
    },
    error: () => stepfunctionsError('ActivityLimitExceeded', 'The maximum number of activities has been reached.'),
  },
  {
    ...states('L-B8A5B662', 'Open executions', 1_000_000),
    usage: ({ executions }) => executions.running,
    grows: {
      StartExecution: ({ stateMachineArn }, state) =>
        isExpress(stateMachineArn, state) ? undefined : state.executions.running + 1,
    },
    error: () =>
      stepfunctionsError('ExecutionLimitExceeded', 'The maximum number of running executions has been reached.'),
  },
  startRate('L-1B55A735', 'StartExecution', false, [300, 1300], [150, 800]),
  startRate('L-7B8A8E4B', 'StartExpressExecution', true, [6000, 6000]),
  ...RATES.map(([operation, code, large, other]) => rate(code, operation, { [operation]: true }, large, other)),
  ...listedQuotas(
    { serviceCode: 'states', page: PAGE },
    [
      ['L-CE9F8059', 'StartExecution throttle token bucket size', 1300],
      ['L-CFF7B006', 'StartExpressExecution throttle token bucket size', 6000],
      ['L-AD9B4E93', 'StateTransition throttle token refill rate per second', 5000],
      ['L-137B3F65', 'StateTransition throttle token bucket size', 5000],
      ['L-5AD63623', 'Execution history retention time', 90],
    ].map(([code, name, value]) => [code, name, value, { adjustable: true }] as ListedRow),
  ),
]);
