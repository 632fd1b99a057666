import type { ProviderContext } from '@emu/core/service';
import { isObject } from '@emu/wire';
import type { Signals } from '../resource-types/signals.ts';
import type { TemplateResource } from '../templates/template.ts';

const FIVE_MINUTES = 300_000;
const PARTS = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/;

/** Parses a duration such as `PT15M`. Returns milliseconds. */
function durationOf(text: unknown): number {
  const match = typeof text === 'string' ? PARTS.exec(text) : undefined;
  if (!match) return FIVE_MINUTES;
  const [, hours = 0, minutes = 0, seconds = 0] = match;
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}

/** Returns the token for the signals that the creation policy of a resource waits for. */
export const creationToken = (stack: string, logicalId: string): string => `${stack}.${logicalId}`;

/**
 * Waits for the signals that a creation policy requires.
 * @param stack uuid of the stack
 * @throws Error with AWS's message if signals are missing or one reports a failure
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-creationpolicy.html
 */
export async function awaitCreation(
  { CreationPolicy }: TemplateResource,
  stack: string,
  logicalId: string,
  signals: Signals,
  ctx: ProviderContext,
): Promise<void> {
  const wanted = CreationPolicy?.ResourceSignal;
  if (!isObject(wanted)) return;
  const count = Number(wanted.Count ?? 1);
  const token = creationToken(stack, logicalId);
  signals.expect(token, stack, logicalId);
  const statuses = () => signals.received(token).map(({ text }) => (JSON.parse(text) as { Status: string }).Status);
  const came = await signals.wait(
    token,
    () => statuses().includes('FAILURE') || statuses().length >= count,
    durationOf(wanted.Timeout),
    ctx,
  );
  const received = statuses();
  signals.discard(token);
  const failures = received.filter((status) => status === 'FAILURE').length;
  if (failures)
    throw new Error(
      `Received ${failures} FAILURE signal(s) out of ${count}. Unable to satisfy 100% MinSuccessfulInstancesPercent requirement`,
    );
  if (!came)
    throw new Error(`Failed to receive ${count - received.length} resource signal(s) within the specified duration`);
}
