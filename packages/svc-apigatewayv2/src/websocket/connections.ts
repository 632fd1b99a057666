import type { Clock, Ids } from '@emu/core/service';
import type { WebSocket } from 'ws';
import type { LambdaContext } from '../authorizers/verdict.ts';

/** How long a connection may be silent, and how long it may last at all, in milliseconds. */
const IDLE = 10 * 60_000;
const LONGEST = 2 * 60 * 60_000;
const ID_BYTES = 11;

/** Codes with which connections are closed. */
export const CLOSE = { goingAway: 1001, unsupported: 1003, tooLarge: 1009 } as const;

/** What is known of a connection when it is made. */
export interface ConnectionFacts {
  readonly apiId: string;
  readonly stage: string;
  readonly domainName: string;
  readonly sourceIp: string;
  readonly userAgent: string;
  /** Id of the request that made it. */
  readonly cause: string;
  readonly authorizer: LambdaContext | undefined;
}

/** An open connection to a WebSocket API. Times are epoch milliseconds. */
export interface Connection extends ConnectionFacts {
  readonly id: string;
  readonly socket: WebSocket;
  readonly connectedAt: number;
  lastActiveAt: number;
}

/** The open connections to the WebSocket APIs of an account and region. They end with the process, as sockets do. */
export class Connections {
  private readonly open = new Map<string, Connection>();

  constructor(private readonly state: { readonly clock: Clock; readonly ids: Ids }) {}

  /** An id of a connection, as AWS's are. */
  newId(): string {
    return `${this.state.ids.bytes(ID_BYTES).toString('base64url')}=`;
  }

  get(id: string): Connection | undefined {
    return this.open.get(id);
  }

  /** Every open connection, in the order in which they were made. */
  list(): Iterable<Connection> {
    return this.open.values();
  }

  /** Keeps a connection, and ends it when it is silent or old. */
  add(id: string, socket: WebSocket, facts: ConnectionFacts, connectedAt: number): Connection {
    const connection: Connection = { ...facts, id, socket, connectedAt, lastActiveAt: this.state.clock.now() };
    this.open.set(id, connection);
    this.watch(connection);
    return connection;
  }

  /** Notes that something went over a connection. */
  touch(connection: Connection): void {
    connection.lastActiveAt = this.state.clock.now();
  }

  /** Forgets a connection that has ended. @returns whether it was known */
  remove(id: string): boolean {
    return this.open.delete(id);
  }

  /** Ends connections from this side. */
  closeAll(matches: (connection: Connection) => boolean): void {
    for (const connection of this.open.values())
      if (matches(connection)) connection.socket.close(CLOSE.goingAway, 'Going away');
  }

  /** Looks at a connection when its time may be up, and again when it has been used meanwhile. */
  private watch(connection: Connection): void {
    const { clock } = this.state;
    const { connectedAt, socket, id } = connection;
    const due = (): number => Math.min(connection.lastActiveAt + IDLE, connectedAt + LONGEST);
    const look = (): void => {
      if (this.open.get(id) !== connection) return;
      if (clock.now() >= due()) socket.close(CLOSE.goingAway, 'Going away');
      else timer = clock.at(due(), look);
    };
    let timer = clock.at(due(), look);
    socket.once('close', () => timer.cancel());
  }
}
