/** What API Gateway does for its own data plane. */
export interface ApigatewayInternalOperations {
  /** Whether a caller may call a method: dry runs only, whose permission is all that there is to it. */
  InvokeMethod: {
    /** ARN of the method, and the resource policy of its API. */
    input: { arn: string; policy?: string | undefined };
    output: undefined;
  };
}
