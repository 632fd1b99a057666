/** What CloudWatch Logs asks itself by a call, so that the caller's policies are evaluated as those of a request. */
export interface LogsInternalOperations {
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
