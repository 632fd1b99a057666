import type { DeepReadonly } from '@emu/core/service';
import type { Target } from '@emu/service-types/events';
import { ruleArn } from '../arns.ts';
import { sendDeadLetter } from '../dead-letters.ts';
import type { BusEvent } from '../event.ts';
import type { DeliveryRecord } from '../records.ts';
import { inputFor } from '../rules/input.ts';
import type { DeliveryOutcome, EventsState, Rule } from '../state.ts';
import { attempt, callerFor, type RuleKey } from './attempt.ts';
import type { Attempt } from './outcome.ts';

/** Default retry policy of AWS: 24 hours and 185 retries. */
const DEFAULT_ATTEMPTS = 185;
const DEFAULT_AGE = 86_400;
const FIRST_DELAY = 1000;
const LONGEST_DELAY = 600_000;
/** Limit of deliveries in progress per account and region. Beyond it, failed attempts are not retried. */
const MAX_WAITING = 10_000;

type Failure = Extract<Attempt, { delivered: false }>;

/**
 * Delivers an event to every target of a rule and retries by the targets' policies. Undeliverable events go to the
 * dead-letter queue. All deliveries are recorded before the function returns, so that a restart loses none.
 * @returns the outcome after the last attempt
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-rule-retry-policy.html
 */
export function runRule(state: EventsState, rule: Rule, event: BusEvent): Promise<DeliveryOutcome[]> {
  const now = state.clock.now();
  const targets = rule.targets.map((target) => ({ target, id: state.ids.uuid() }));
  state.logs.matched(rule, event, targets);
  const outcomes = targets.map(({ target, id }) => {
    const delivery: DeliveryRecord = {
      id,
      bus: rule.bus,
      rule: rule.name,
      // Records and their parts never change, so they need no copy.
      target: target as Target,
      event,
      begunAt: now,
      attempts: 0,
      dueAt: now,
    };
    return deliver(state, state.deliveries.put(id, delivery));
  });
  return Promise.all(outcomes);
}

/** Continues a delivery after a restart. An attempt in progress at that time is repeated. */
export async function resumeDelivery(state: EventsState, delivery: DeepReadonly<DeliveryRecord>): Promise<void> {
  const delay = Math.max(0, delivery.dueAt - state.clock.now());
  if (await state.pauses.pause(delay)) await deliver(state, delivery);
}

/** Ends a delivery as failed; its event goes to the dead-letter queue. */
export async function failDelivery(
  state: EventsState,
  delivery: DeepReadonly<DeliveryRecord>,
  reason: string,
): Promise<void> {
  const { id, target, event, attempts } = delivery;
  const rule: RuleKey = { bus: delivery.bus, name: delivery.rule };
  const failure = { delivered: false, retry: false, code: 'INTERNAL_ERROR', message: reason } as const;
  const isBuried = await bury(state, rule, target, event, failure, attempts, undefined);
  state.outcomes.add({
    eventId: event.id,
    bus: rule.bus,
    rule: rule.name,
    ruleArn: ruleArn(state, rule.bus, rule.name),
    targetId: target.Id,
    targetArn: target.Arn,
    status: isBuried ? 'dead-lettered' : 'failed',
    attempts,
    at: state.clock.now(),
    error: { code: failure.code, message: reason },
  });
  state.report(rule, 'FailedInvocations');
  state.deliveries.delete(id);
}

async function deliver(state: EventsState, delivery: DeepReadonly<DeliveryRecord>): Promise<DeliveryOutcome> {
  const { id, target, event, begunAt } = delivery;
  const rule: RuleKey = { bus: delivery.bus, name: delivery.rule };
  const arn = ruleArn(state, rule.bus, rule.name);
  const input = inputFor(target, { event, ruleArn: arn, ruleName: rule.name, ingestedAt: begunAt });
  const { MaximumRetryAttempts: most = DEFAULT_ATTEMPTS, MaximumEventAgeInSeconds: age = DEFAULT_AGE } =
    target.RetryPolicy ?? {};
  let { attempts } = delivery;
  let exhausted: string | undefined;
  let last: Attempt;
  const log = state.logs.invocation({ rule, ruleArn: arn, target, event, invocationId: id, input, begunAt });
  log?.begun(attempts);
  for (;;) {
    log?.attempted(attempts + 1);
    last = await attempt(state, rule, target, event, input);
    attempts++;
    log?.answered(attempts, last);
    state.report(rule, 'InvocationAttempts');
    if (last.delivered) state.report(rule, 'SuccessfulInvocationAttempts');
    if (attempts > 1) state.report(rule, 'RetryInvocationAttempts');
    if (last.delivered || !last.retry || state.closed) break;
    const delay = last.retryAfter ?? Math.min(FIRST_DELAY * 2 ** (attempts - 1), LONGEST_DELAY);
    const dueAt = state.clock.now() + delay;
    if (attempts > most) exhausted = 'MaximumRetryAttempts';
    else if (dueAt > begunAt + age * 1000) exhausted = 'MaximumEventAgeInSeconds';
    if (exhausted !== undefined) break;
    if (state.deliveries.size > MAX_WAITING) {
      state.log.warn('a failed EventBridge delivery is not retried because too many deliveries are in progress', {
        target: target.Arn,
      });
      break;
    }
    // Replaced instead of updated, because an update would copy the event.
    state.deliveries.put(id, { ...(delivery as DeliveryRecord), attempts, dueAt });
    if (!(await state.pauses.pause(delay))) break;
  }
  const outcome: DeliveryOutcome = {
    eventId: event.id,
    bus: rule.bus,
    rule: rule.name,
    ruleArn: arn,
    targetId: target.Id,
    targetArn: target.Arn,
    status: last.delivered ? 'delivered' : 'failed',
    attempts,
    at: state.clock.now(),
    ...(!last.delivered && { error: { code: last.code, message: last.message } }),
  };
  log?.ended(attempts, last);
  if (!last.delivered && !state.closed && (await bury(state, rule, target, event, last, attempts, exhausted))) {
    outcome.status = 'dead-lettered';
    log?.buried(attempts, last);
  }
  state.outcomes.add(outcome);
  state.report(rule, 'Invocations');
  if (!last.delivered) state.report(rule, 'FailedInvocations');
  // After the state has ended, the next state continues the delivery.
  if (!state.closed) state.deliveries.delete(id);
  return outcome;
}

/**
 * Sends an event to the dead-letter queue of a target. @returns whether a queue is configured and accepted the event
 */
async function bury(
  state: EventsState,
  rule: RuleKey,
  target: DeepReadonly<Target>,
  event: BusEvent,
  { code, message }: Failure,
  attempts: number,
  exhausted: string | undefined,
): Promise<boolean> {
  const attributes = {
    RULE_ARN: ruleArn(state, rule.bus, rule.name),
    TARGET_ARN: target.Arn,
    ERROR_CODE: code,
    ERROR_MESSAGE: message || code,
    EXHAUSTED_RETRY_CONDITION: exhausted,
    RETRY_ATTEMPTS: exhausted === undefined ? undefined : String(attempts - 1),
  };
  const sent = await sendDeadLetter(state, target.DeadLetterConfig, event, attributes, (accountId, region) =>
    callerFor(state, rule, accountId, region, event),
  );
  if (sent !== undefined) state.report(rule, sent ? 'InvocationsSentToDlq' : 'InvocationsFailedToBeSentToDlq');
  return sent ?? false;
}
