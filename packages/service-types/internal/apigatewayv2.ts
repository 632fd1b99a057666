/**
 * Internal operations of API Gateway for its data plane, so that the caller's policies are evaluated as for a request.
 */
export interface Apigatewayv2InternalOperations {
  /** Authorizes the caller for a route. */
  InvokeRoute: {
    input: {
      /** ARN of the route: `arn:…:execute-api:<region>:<account>:<api>/<stage>/<method>/<path>`. */
      resource: string;
    };
    output: Record<string, never>;
  };
}
