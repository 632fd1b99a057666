/**
 * Internal operations of Lambda for function URLs, so that the caller's policies are evaluated as for a request.
 */
export interface LambdaInternalOperations {
  /** Authorizes the caller of a function URL with the authorization type `AWS_IAM`. */
  InvokeUrl: {
    input: { FunctionName: string; Qualifier?: string };
    output: Record<string, never>;
  };
}
