/** AWS's limits: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html. Sizes are bytes. */
export const LIMITS = {
  /** A .zip file uploaded in the request. */
  zippedSize: 52_428_800,
  /** Files of a function and its layers together. */
  unzippedSize: 262_144_000,
  /** A request that uploads a package. */
  requestSize: 70_167_211,
  environmentSize: 4096,
  /** Concurrency that reservations must leave to other functions. */
  unreservedConcurrency: 100,
  layers: 5,
  policySize: 20_480,
  /** Maximum memory in MB of a function without a capacity provider. */
  memorySize: 10_240,
  /** Seconds. */
  timeout: 900,
  tags: 50,
  /** Processes and threads of an execution environment. */
  processes: 1024,
} as const;
