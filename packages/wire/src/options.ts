/** Properties of a service's wire format that its model lacks. */
export interface CompileOptions {
  /**
   * Smithy namespace in `__type` of awsJson 1.0 and rpcv2Cbor errors, e.g. `com.amazonaws.dynamodb.v20120810`. By
   * default `com.amazonaws.<service>`.
   */
  namespace?: string;
}
