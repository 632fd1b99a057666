/** An open connection, part of the state of WebSocket APIs. */
export interface OpenConnection {
  readonly id: string;
  readonly apiId: string;
  readonly stage: string;
  readonly sourceIp: string;
  readonly userAgent: string;
  /** Epoch milliseconds. */
  readonly connectedAt: number;
  readonly lastActiveAt: number;
  readonly socket: {
    send(text: string, sent: (error?: Error | null) => void): void;
    close(code: number, reason: string): void;
    /** Bytes that the client has not read yet. */
    readonly bufferedAmount: number;
    readonly readyState: number;
    readonly OPEN: number;
  };
}

/** The part of the WebSocket APIs' state that the management API uses. */
export interface ConnectionState {
  readonly runtime: {
    /** Returns the deployed stage of an API; undefined for an unknown one. */
    stage(apiId: string, name: string): object | undefined;
    readonly connections: { get(id: string): OpenConnection | undefined; touch(connection: OpenConnection): void };
  };
}
