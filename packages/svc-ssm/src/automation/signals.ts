import type { SignalType } from '@emu/service-types/ssm';

/** A signal sent to an execution. */
export interface AutomationSignal {
  readonly type: SignalType;
  readonly payload: Readonly<Record<string, readonly string[]>>;
  /** ARN of the sender. */
  readonly sender: string;
}

/** Returns a value of a signal's payload; the name is case-insensitive. */
export function payloadOf({ payload }: AutomationSignal, name: string): string | undefined {
  const key = Object.keys(payload).find((one) => one.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : payload[key]?.[0];
}
