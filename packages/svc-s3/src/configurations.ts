/**
 * Settings of a bucket by the name of their subresource, as they were put. A service that evaluates one reads it here;
 * the operations that put and get them are under `operations/`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: each subresource adds its own member
export interface BucketConfigurations {}
