/** Internal operations of CloudWatch Logs, for itself and for other services. */
export interface LogsInternalOperations {
  /**
   * Returns the events of a group as transformed, in order of time; unchanged without a transformer. Events that could
   * not be transformed are omitted.
   */
  ReadTransformedEvents: {
    input: {
      logGroupName: string;
      /** Epoch milliseconds. The end is exclusive. */
      startTime: number;
      endTime: number;
      nextToken?: string | undefined;
    };
    output: { events: { timestamp: number; message: string }[]; nextToken?: string | undefined };
  };
  /** Authorizes the caller to send events to a stream over HTTP. */
  IngestLogs: {
    input: {
      /** ARN of the stream. */
      stream: string;
      /** ARN of its group as in policies, with `:*` at the end. */
      group: string;
      /** Whether the caller authenticated with a bearer token instead of a signature. */
      bearer: boolean;
    };
    output: Record<string, never>;
  };
}
