/** What CloudWatch Logs does for itself and for other services without an operation of AWS's. */
export interface LogsInternalOperations {
  /**
   * Events of a group as its transformer has made them, in order of time; those of a group without any as they are. Events
   * that could not be transformed are left out.
   */
  ReadTransformedEvents: {
    input: {
      logGroupName: string;
      /** Epoch milliseconds; the end is not part of the range. */
      startTime: number;
      endTime: number;
      nextToken?: string | undefined;
    };
    output: { events: { timestamp: number; message: string }[]; nextToken?: string | undefined };
  };
  /** Whether the caller may send events to a stream by HTTP. */
  IngestLogs: {
    input: {
      /** ARN of the stream. */
      stream: string;
      /** ARN of its group, as policies name it: with `:*` at its end. */
      group: string;
      /** Whether the caller is known by a bearer token and not by a signature. */
      bearer: boolean;
    };
    output: Record<string, never>;
  };
}
