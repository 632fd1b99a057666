/** AWS's limits: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html. Sizes are bytes. */
export const LIMITS = {
  /** A .zip file that is uploaded with the request. */
  zippedSize: 52_428_800,
  /** A function's files together with those of its layers. */
  unzippedSize: 262_144_000,
  /** A request that uploads a package. */
  requestSize: 70_167_211,
  environmentSize: 4096,
  /** What reserving concurrency must leave for all other functions. */
  unreservedConcurrency: 100,
  layers: 5,
  policySize: 20_480,
  /** MB of a function without a capacity provider. */
  memorySize: 10_240,
  /** Seconds. */
  timeout: 900,
  tags: 50,
} as const;
