import type { Clock, Ids } from '@emu/core/service';
import type { WebSocket } from 'ws';
import type { LambdaContext } from '../authorizers/verdict.ts';

/** Idle timeout and maximum duration of a connection, in milliseconds. */
const IDLE = 10 * 60_000;
const MAX_DURATION = 2 * 60 * 60_000;
const ID_BYTES = 11;

/** WebSocket close codes. */
export const CLOSE = { goingAway: 1001, unsupported: 1003, tooLarge: 1009 } as const;

/** Initial data of a connection. */
export interface ConnectionFacts {
  readonly apiId: string;
  readonly stage: string;
  readonly domainName: string;
  readonly sourceIp: string;
  readonly userAgent: string;
  /** Id of the handshake request. */
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

/** Open connections to the WebSocket APIs of an account and region. They end with the process. */
export class Connections {
  private readonly open = new Map<string, Connection>();

  constructor(private readonly state: { readonly clock: Clock; readonly ids: Ids }) {}

  /** Returns a connection id in AWS's form. */
  newId(): string {
    return `${this.state.ids.bytes(ID_BYTES).toString('base64url')}=`;
  }

  get(id: string): Connection | undefined {
    return this.open.get(id);
  }

  /** Returns all open connections in order of creation. */
  list(): Iterable<Connection> {
    return this.open.values();
  }

  /** Adds a connection, with its idle timeout and maximum duration. */
  add(id: string, socket: WebSocket, facts: ConnectionFacts, connectedAt: number): Connection {
    const connection: Connection = { ...facts, id, socket, connectedAt, lastActiveAt: this.state.clock.now() };
    this.open.set(id, connection);
    this.watch(connection);
    return connection;
  }

  /** Records activity on a connection. */
  touch(connection: Connection): void {
    connection.lastActiveAt = this.state.clock.now();
  }

  /**
   * Removes a closed connection.
   * @returns whether it was known
   */
  remove(id: string): boolean {
    return this.open.delete(id);
  }

  /** Closes connections from the server side. */
  closeAll(matches: (connection: Connection) => boolean): void {
    for (const connection of this.open.values())
      if (matches(connection)) connection.socket.close(CLOSE.goingAway, 'Going away');
  }

  /** Sets the timer for the end of a connection, and again after activity. */
  private watch(connection: Connection): void {
    const { clock } = this.state;
    const { connectedAt, socket, id } = connection;
    const due = (): number => Math.min(connection.lastActiveAt + IDLE, connectedAt + MAX_DURATION);
    const look = (): void => {
      if (this.open.get(id) !== connection) return;
      if (clock.now() >= due()) socket.close(CLOSE.goingAway, 'Going away');
      else timer = clock.at(due(), look);
    };
    let timer = clock.at(due(), look);
    socket.once('close', () => timer.cancel());
  }
}
