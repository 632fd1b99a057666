import type { AwsError } from '@emu/wire';

/** A state that a record has for a time after a request. */
export interface Phase<Status> {
  readonly state: Status;
  /** Milliseconds for which AWS shows the state. */
  readonly lasts: number;
}

/** The last phase of a record. */
export interface Ending<Status> extends Phase<Status> {
  /** State after the phase, if AWS shows deleted resources for a while. */
  readonly next?: Status;
  /** Milliseconds for which AWS shows that state. */
  readonly visible?: number;
}

/** The states of a resource. They are computed from the record and the clock, so that no timer changes records. */
export interface Lifecycle<Status extends string> {
  /** The state of records without another. */
  readonly ready: Status;
  readonly creating?: Phase<Status>;
  readonly updating?: Phase<Status>;
  readonly deleting?: Ending<Status>;
  /** States in which a record can be changed and deleted; all by default. */
  readonly changeable?: readonly Status[];
  /** Returns the error for a request that the state does not allow. */
  refuse?(id: string, state: Status): AwsError;
}

/** The member `life` of a record: its position in the sequence of states. Absent for a record that is ready. */
export interface Life {
  /** The state until `until`, or permanently. */
  state: string;
  /** End of the state, in epoch milliseconds. */
  until?: number;
  /** The next state; `ready` by default. */
  next?: string;
  /** Time of the record's removal, in epoch milliseconds; present after its deletion. */
  goneAt?: number;
}

/** A record with states. */
export interface Living {
  life?: Life;
}

/** Returns the state of a record at a time. */
export function stateAt<Status extends string>(
  { ready }: Lifecycle<Status>,
  { life }: { readonly life?: Readonly<Life> | undefined },
  now: number,
): Status {
  if (!life) return ready;
  if (life.until === undefined || now < life.until) return life.state as Status;
  return (life.next ?? ready) as Status;
}

/** Whether a record has been deleted, even if it is still shown. */
export const isEnding = ({ life }: { readonly life?: Readonly<Life> | undefined }): boolean =>
  life?.goneAt !== undefined;

/** Whether a deleted record is no longer shown. */
export const isGone = ({ life }: { readonly life?: Readonly<Life> | undefined }, now: number): boolean =>
  life?.goneAt !== undefined && life.goneAt <= now;

/**
 * Returns the member `life` of a record that enters a phase.
 * @param timed whether states last as long as on AWS; else the next request finds the state after them
 * @returns undefined if the record is ready at once
 */
export function lifeIn(phase: Phase<string> | undefined, now: number, timed: boolean): Life | undefined {
  return phase && timed ? { state: phase.state, until: now + phase.lasts } : undefined;
}

/**
 * Returns the member `life` of a record that is being deleted.
 * @returns undefined if the record is removed at once
 */
export function lifeAtEnd(
  { state, lasts, next, visible = 0 }: Ending<string>,
  now: number,
  timed: boolean,
): Life | undefined {
  const until = now + (timed ? lasts : 0);
  const goneAt = until + (next === undefined ? 0 : visible);
  if (goneAt <= now) return undefined;
  return { state, until, ...(next !== undefined && { next }), goneAt };
}
