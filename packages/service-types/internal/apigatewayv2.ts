/** What API Gateway asks itself by a call, so that the caller's policies are evaluated as those of a request. */
export interface Apigatewayv2InternalOperations {
  /** Whether the caller may call a route. */
  InvokeRoute: {
    input: {
      /** ARN of the route: `arn:…:execute-api:<region>:<account>:<api>/<stage>/<method>/<path>`. */
      resource: string;
    };
    output: Record<string, never>;
  };
}
