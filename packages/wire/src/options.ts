/** What a service's model does not say about its wire format. */
export interface CompileOptions {
  /**
   * Smithy namespace of the service, which awsJson 1.0 and rpcv2Cbor errors carry in `__type`, e.g.
   * `com.amazonaws.dynamodb.v20120810`. By default `com.amazonaws.<service>`.
   */
  namespace?: string;
}
