/** A log event as queries see it. Members may be computed lazily. */
export interface QueryEvent {
  /** Epoch milliseconds. */
  readonly timestamp: number;
  /** Epoch milliseconds. */
  readonly ingestionTime: number;
  /** Message, masked by a data protection policy. */
  readonly message: string;
  /** Original message. */
  readonly unmasked?: string;
  /** Transformed message: a JSON object. */
  readonly transformed?: string | undefined;
  readonly logStream: string;
  /** Its log group. */
  readonly group: QueryGroup;
  /** Unique id within the group. */
  readonly eventId: string;
  /** Called before the event is retained, to release the buffer it was read from. */
  settle?(): void;
}

/** A queried log group. */
export interface QueryGroup {
  readonly name: string;
  readonly accountId: string;
  readonly region: string;
  /** Whether fields are discovered, as in the standard class. */
  readonly discovers: boolean;
}

/** Builds the pointer (`@ptr`) to an event. */
export const pointerTo = ({ group, eventId }: QueryEvent): string =>
  Buffer.from(JSON.stringify([group.accountId, group.name, eventId])).toString('base64');

/** Parses a pointer; undefined if it is invalid. */
export function readPointer(pointer: string): { accountId: string; group: string; eventId: string } | undefined {
  try {
    const [accountId, group, eventId] = JSON.parse(Buffer.from(pointer, 'base64').toString()) as unknown[];
    return typeof accountId === 'string' && typeof group === 'string' && typeof eventId === 'string'
      ? { accountId, group, eventId }
      : undefined;
  } catch {
    return undefined;
  }
}
