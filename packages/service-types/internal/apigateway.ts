/** Internal operations of API Gateway for its own data plane. */
export interface ApigatewayInternalOperations {
  /** Authorizes a caller for a method. Always called as a dry run, whose permission check is its only effect. */
  InvokeMethod: {
    /** ARN of the method, and the resource policy of its API. */
    input: { arn: string; policy?: string | undefined };
    output: undefined;
  };
}
