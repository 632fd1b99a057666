import type { SignalType } from '@emu/service-types/ssm';

/** A signal that somebody sends to an execution. */
export interface AutomationSignal {
  readonly type: SignalType;
  readonly payload: Readonly<Record<string, readonly string[]>>;
  /** ARN of who sends it. */
  readonly sender: string;
}

/** A value of a signal's payload, whatever the case of its name. */
export function payloadOf({ payload }: AutomationSignal, name: string): string | undefined {
  const key = Object.keys(payload).find((one) => one.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : payload[key]?.[0];
}
