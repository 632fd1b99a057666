import { type DeepReadonly, parseArn } from '@emu/core';
import type { Target } from '@emu/service-types/events';
import { ruleArn } from '../arns.ts';
import { type BusEvent, eventJson } from '../event.ts';
import { inputFor } from '../input.ts';
import type { DeliveryOutcome, EventsState, Rule } from '../state.ts';
import { attempt, callerFor } from './attempt.ts';
import type { Attempt } from './outcome.ts';

/** AWS tries for a day, at most so often. */
const DEFAULT_ATTEMPTS = 185;
const DEFAULT_AGE = 86_400;
const FIRST_DELAY = 1000;
const LONGEST_DELAY = 600_000;
/** Most deliveries that wait for another attempt at the same time. */
const MOST_WAITING = 10_000;

let waiting = 0;

type Failure = Extract<Attempt, { delivered: false }>;

/**
 * Delivers an event to every target of a rule, trying again as their policies say; what cannot be delivered goes to the
 * dead-letter queue.
 * @returns what became of it, after the last attempt
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-rule-retry-policy.html
 */
export function runRule(state: EventsState, rule: Rule, event: BusEvent): Promise<DeliveryOutcome[]> {
  return Promise.all(rule.targets.map((target) => deliver(state, rule, target, event)));
}

async function deliver(
  state: EventsState,
  rule: Rule,
  target: DeepReadonly<Target>,
  event: BusEvent,
): Promise<DeliveryOutcome> {
  const begun = state.clock.now();
  const arn = ruleArn(state, rule.bus, rule.name);
  const input = inputFor(target, { event, ruleArn: arn, ruleName: rule.name, ingestedAt: begun });
  const { MaximumRetryAttempts: most = DEFAULT_ATTEMPTS, MaximumEventAgeInSeconds: age = DEFAULT_AGE } =
    target.RetryPolicy ?? {};
  let attempts = 0;
  let exhausted: string | undefined;
  let last: Attempt;
  for (;;) {
    last = await attempt(state, rule, target, event, input);
    attempts++;
    if (last.delivered || !last.retry || state.closed) break;
    const delay = last.retryAfter ?? Math.min(FIRST_DELAY * 2 ** (attempts - 1), LONGEST_DELAY);
    if (attempts > most) exhausted = 'MaximumRetryAttempts';
    else if (state.clock.now() + delay > begun + age * 1000) exhausted = 'MaximumEventAgeInSeconds';
    if (exhausted !== undefined || waiting >= MOST_WAITING || !(await pause(state, delay))) break;
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
    ...(last.delivered ? {} : { error: { code: last.code, message: last.message } }),
  };
  if (!last.delivered && !state.closed && (await bury(state, rule, target, event, last, attempts, exhausted)))
    outcome.status = 'dead-lettered';
  state.outcomes.add(outcome);
  return outcome;
}

/** Waits on the clock. @returns whether the state is still there */
async function pause(state: EventsState, delay: number): Promise<boolean> {
  waiting++;
  try {
    return await state.pauses.pause(delay);
  } finally {
    waiting--;
  }
}

/** Sends an event to the dead-letter queue of a target. @returns whether there is one, and it took the event */
async function bury(
  state: EventsState,
  rule: Rule,
  target: DeepReadonly<Target>,
  event: BusEvent,
  { code, message }: Failure,
  attempts: number,
  exhausted: string | undefined,
): Promise<boolean> {
  const queue = target.DeadLetterConfig?.Arn;
  const arn = queue === undefined ? undefined : parseArn(queue);
  if (!arn) return false;
  const text = (StringValue: string) => ({ DataType: 'String', StringValue });
  try {
    await state.call(
      'sqs',
      'SendMessage',
      {
        QueueUrl: `http://sqs.${arn.region}/${arn.accountId}/${arn.resource}`,
        MessageBody: eventJson(event),
        MessageAttributes: {
          RULE_ARN: text(ruleArn(state, rule.bus, rule.name)),
          TARGET_ARN: text(target.Arn),
          ERROR_CODE: text(code),
          ERROR_MESSAGE: text(message || code),
          ...(exhausted === undefined
            ? {}
            : { EXHAUSTED_RETRY_CONDITION: text(exhausted), RETRY_ATTEMPTS: text(String(attempts - 1)) }),
        },
      },
      callerFor(state, rule, arn.accountId, arn.region, event),
    );
    return true;
  } catch (error) {
    state.log.warn(`the dead-letter queue ${queue} did not take an event`, { error });
    return false;
  }
}
