import {
  asService,
  type CallOptions,
  type DeepReadonly,
  type InterruptedWork,
  interruptedRecords,
  parseArn,
  servicePrincipal,
} from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { cloudwatchError } from '../errors.ts';
import type { PendingActionRecord } from '../records.ts';
import type { Alarm, CloudwatchState } from '../state.ts';
import { remember } from './history.ts';
import { jsonText } from './json.ts';
import { alarmArn, functionEvent, notification, type StateChange, stateChangeDetail, subjectOf } from './messages.ts';

const NOT_IMPLEMENTED = 501;

/** Returns the identity and region for an action's call. */
function callerFor(state: CloudwatchState, alarm: Alarm, arn: string, cause: string, service: string): CallOptions {
  const { accountId, region } = parseArn(arn)!;
  return {
    accountId: accountId || state.accountId,
    region: region || state.region,
    ...asService(service, state.accountId, alarmArn(state, alarm.name)),
    cause,
  };
}

/** Returns the ARNs of the actions for an alarm's state. */
function actionsOf({ settings, state }: Alarm): readonly string[] {
  switch (state) {
    case 'OK':
      return settings.OKActions ?? [];
    case 'ALARM':
      return settings.AlarmActions ?? [];
    case 'INSUFFICIENT_DATA':
      return settings.InsufficientDataActions ?? [];
  }
}

/**
 * Runs the actions for an alarm's new state. Failures are in the alarm's history, as in AWS.
 * @param cause id of the request or timer that changed the state
 */
export async function runActions(state: CloudwatchState, change: StateChange, cause: string): Promise<void> {
  if (!(change.alarm.settings.ActionsEnabled ?? true)) return;
  const arns = [...new Set(actionsOf(change.alarm))];
  await Promise.all(arns.map((action) => begin(state, { ...change, action, cause })));
}

/** Starts an action; it is stored before this returns, so that a restart does not lose it. */
function begin(state: CloudwatchState, pending: DeepReadonly<PendingActionRecord>): Promise<void> {
  const key = state.nextActionKey();
  return finish(state, key, state.pendingActions.put(key, pending as PendingActionRecord));
}

/** Returns actions that a restart interrupted. */
export function interruptedActions(state: CloudwatchState): InterruptedWork[] {
  return interruptedRecords(state.pendingActions, {
    name: ({ alarm }, key) => `action ${key} of alarm ${alarm.name}`,
    resume: (pending, key) => finish(state, key, pending),
    fail: ({ action, cause: _, ...change }, reason, key) => {
      if (action !== undefined) rememberAction(state, change, action, reason);
      state.pendingActions.delete(key);
    },
  });
}

async function finish(
  state: CloudwatchState,
  key: string,
  { action, cause, ...change }: DeepReadonly<PendingActionRecord>,
): Promise<void> {
  if (action === undefined) {
    const resources = [alarmArn(state, change.alarm.name)];
    await putEvent(state, 'CloudWatch Alarm State Change', resources, stateChangeDetail(state, change), cause);
  } else await runAction(state, change, action, cause);
  // If the state has closed, the next one continues the work.
  if (!state.closed) state.pendingActions.delete(key);
}

async function runAction(state: CloudwatchState, change: StateChange, arn: string, cause: string): Promise<void> {
  let failure: string | undefined;
  try {
    await perform(state, change, arn, cause);
  } catch (error) {
    if (!(error instanceof AwsError)) state.log.error('an action of an alarm failed unexpectedly', { error });
    failure = error instanceof AwsError ? error.message || error.code : 'InternalFailure';
  }
  if (!state.closed) rememberAction(state, change, arn, failure);
}

/** Adds an action to the history of its alarm. @param failure undefined if it succeeded */
function rememberAction(state: CloudwatchState, change: StateChange, arn: string, failure: string | undefined): void {
  const { alarm } = change;
  remember(state, alarm, {
    type: 'Action',
    summary: failure === undefined ? `Successfully executed action ${arn}` : `Failed to execute action ${arn}`,
    data: {
      actionState: failure === undefined ? 'Succeeded' : 'Failed',
      stateUpdateTimestamp: alarm.updatedAt,
      notificationResource: arn,
      publishedMessage:
        failure === undefined && arn.includes(':sns:') ? { default: notification(state, change) } : undefined,
      error: failure ?? null,
    },
  });
}

/**
 * Runs one action.
 * @throws AwsError of the action's service
 */
async function perform(state: CloudwatchState, change: StateChange, arn: string, cause: string): Promise<void> {
  const { alarm } = change;
  const { service, resource } = parseArn(arn) ?? {};
  const options = (as: string) => callerFor(state, alarm, arn, cause, as);
  switch (service) {
    case 'sns': {
      const input = { TopicArn: arn, Subject: subjectOf(state, change), Message: notification(state, change) };
      await state.call('sns', 'Publish', input, options('cloudwatch'));
      return;
    }
    case 'lambda': {
      const input = {
        FunctionName: arn,
        InvocationType: 'Event',
        Payload: Buffer.from(functionEvent(state, change)),
      } as const;
      await state.call('lambda', 'Invoke', input, options('lambda.alarms.cloudwatch'));
      return;
    }
    case 'ssm':
      // `opsitem:<severity>[#CATEGORY=<category>]`
      await state.callJson('ssm', 'CreateOpsItem', opsItem(state, change, resource ?? ''), {
        ...options('ssm.alarms.cloudwatch'),
        region: state.region,
      });
      return;
    case 'ssm-incidents':
      await state.callJson(
        'ssm-incidents',
        'StartIncident',
        { responsePlanArn: arn, title: subjectOf(state, change) },
        options('ssm-incidents.alarms.cloudwatch'),
      );
      return;
    case 'automate':
      await automate(state, change, resource ?? '', options('cloudwatch'));
      return;
    default:
      throw cloudwatchError('NotImplemented', `emu does not run the action ${arn}.`, { status: NOT_IMPLEMENTED });
  }
}

function opsItem(state: CloudwatchState, { alarm }: StateChange, resource: string) {
  const [, severity = '', , category] = /^opsitem:(\d)(#CATEGORY=(\w+))?$/.exec(resource) ?? [];
  return {
    Title: `CloudWatch alarm - '${alarm.name}' is in ALARM state`,
    Description: `CloudWatch monitor alarm '${alarm.name}' is in ALARM state. ${alarm.reason}`,
    Source: 'CloudWatch',
    Severity: severity,
    Category: category,
    OperationalData: {
      '/aws/resources': { Type: 'SearchableString', Value: JSON.stringify([{ arn: alarmArn(state, alarm.name) }]) },
    },
  };
}

/**
 * Stops, terminates, reboots or recovers the instance in the metric's `InstanceId`:
 * `arn:aws:automate:<region>:ec2:stop`.
 */
async function automate(
  state: CloudwatchState,
  { alarm }: StateChange,
  resource: string,
  options: CallOptions,
): Promise<void> {
  const operation = { stop: 'StopInstances', terminate: 'TerminateInstances', reboot: 'RebootInstances' }[resource];
  const dimensions = alarm.type === 'MetricAlarm' ? (alarm.settings.Dimensions ?? []) : [];
  const instance = dimensions.find(({ Name }) => Name === 'InstanceId')?.Value;
  if (operation === undefined || instance === undefined)
    throw cloudwatchError('NotImplemented', `emu does not run the action ${resource}.`, { status: NOT_IMPLEMENTED });
  await state.callJson('ec2', operation, { InstanceIds: [instance] }, { ...options, accountId: state.accountId });
}

/** Puts an event on the default event bus if EventBridge is available. */
export async function putEvent(
  state: CloudwatchState,
  detailType: string,
  resources: string[],
  detail: unknown,
  cause: string,
): Promise<void> {
  const entry = {
    Source: 'aws.cloudwatch',
    DetailType: detailType,
    Resources: resources,
    Detail: jsonText(detail),
    Time: new Date(state.clock.now()),
  };
  try {
    await state.call(
      'events',
      'PutEvents',
      { Entries: [entry] },
      {
        accountId: state.accountId,
        region: state.region,
        principal: servicePrincipal('cloudwatch', state.accountId),
        cause,
      },
    );
  } catch (error) {
    // Without EventBridge, events are dropped.
    if (error instanceof AwsError && error.code === 'NotImplemented') return;
    state.log.error('an event of CloudWatch was rejected', { error });
  }
}

/** Sends a state change to EventBridge. */
export function announceState(state: CloudwatchState, change: StateChange, cause: string): Promise<void> {
  return begin(state, { ...change, cause });
}
