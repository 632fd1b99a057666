/** A log event as queries look at it. Its members may be computed when they are read. */
export interface QueryEvent {
  /** Epoch milliseconds. */
  readonly timestamp: number;
  /** Epoch milliseconds. */
  readonly ingestionTime: number;
  /** The message, masked where a data protection policy says so. */
  readonly message: string;
  /** The message as it was put. */
  readonly unmasked?: string;
  /** What a transformer has made of the message: a JSON object. */
  readonly transformed?: string | undefined;
  readonly logStream: string;
  /** The group that it belongs to. */
  readonly group: QueryGroup;
  /** Tells it from all others of the group. */
  readonly eventId: string;
  /** Told when the event will be kept for some time, so that it lets go of what it was read from. */
  settle?(): void;
}

/** A log group that is queried. */
export interface QueryGroup {
  readonly name: string;
  readonly accountId: string;
  readonly region: string;
  /** Whether fields are discovered in it, as in groups of the standard class. */
  readonly discovers: boolean;
}

/** The pointer (`@ptr`) to an event. */
export const pointerTo = ({ group, eventId }: QueryEvent): string =>
  Buffer.from(JSON.stringify([group.accountId, group.name, eventId])).toString('base64');

/** What a pointer names; undefined for a text that is none. */
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
