/** AWS's partitions of regions. The partition of a resource is that of its region. */
interface PartitionRule {
  partition: string;
  regions: RegExp;
  dnsSuffix: string;
  /** Region of the endpoints of global services. */
  globalRegion: string;
}

const RULES: readonly PartitionRule[] = [
  { partition: 'aws-cn', regions: /^cn-/, dnsSuffix: 'amazonaws.com.cn', globalRegion: 'cn-north-1' },
  { partition: 'aws-us-gov', regions: /^us-gov-/, dnsSuffix: 'amazonaws.com', globalRegion: 'us-gov-west-1' },
  { partition: 'aws-iso', regions: /^us-iso-/, dnsSuffix: 'c2s.ic.gov', globalRegion: 'us-iso-east-1' },
  { partition: 'aws-iso-b', regions: /^us-isob-/, dnsSuffix: 'sc2s.sgov.gov', globalRegion: 'us-isob-east-1' },
  { partition: 'aws-iso-e', regions: /^eu-isoe-/, dnsSuffix: 'cloud.adc-e.uk', globalRegion: 'eu-isoe-west-1' },
  { partition: 'aws-iso-f', regions: /^us-isof-/, dnsSuffix: 'csp.hci.ic.gov', globalRegion: 'us-isof-south-1' },
  { partition: 'aws-eusc', regions: /^eusc-/, dnsSuffix: 'amazonaws.eu', globalRegion: 'eusc-de-east-1' },
];

const ruleOf = (region: string): PartitionRule | undefined => RULES.find((rule) => rule.regions.test(region));

/** Returns the partition of a region: `aws-cn` for `cn-north-1`, `aws` for an unknown region. */
export function partitionOf(region: string): string {
  return ruleOf(region)?.partition ?? 'aws';
}

/** Returns the domain of AWS's endpoints in a region. */
export function dnsSuffixOf(region: string): string {
  return ruleOf(region)?.dnsSuffix ?? 'amazonaws.com';
}

/** Returns the region of global services in a region's partition, e.g. `us-east-1`. */
export function globalRegionOf(region: string): string {
  return ruleOf(region)?.globalRegion ?? 'us-east-1';
}

/** Whether a string has the form of a region, e.g. `eu-central-1` or `us-gov-west-1`. */
export function isRegionName(value: string): boolean {
  return /^[a-z]{2,4}(-[a-z]+){1,2}-\d{1,2}$/.test(value);
}
