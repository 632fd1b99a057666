/** Partitions, as AWS groups its regions; the partition of a resource is that of its region. */
interface PartitionRule {
  partition: string;
  regions: RegExp;
  dnsSuffix: string;
  /** The region whose endpoint global services have. */
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

/** The partition a region belongs to: `aws-cn` for `cn-north-1`, `aws` where no other matches. */
export function partitionOf(region: string): string {
  return ruleOf(region)?.partition ?? 'aws';
}

/** The domain AWS's own endpoints of a region end with. */
export function dnsSuffixOf(region: string): string {
  return ruleOf(region)?.dnsSuffix ?? 'amazonaws.com';
}

/** The region that global services of a region's partition count as, e.g. `us-east-1`. */
export function globalRegionOf(region: string): string {
  return ruleOf(region)?.globalRegion ?? 'us-east-1';
}

/** Whether a string is spelt as a region, e.g. `eu-central-1` or `us-gov-west-1`. */
export function isRegionName(value: string): boolean {
  return /^[a-z]{2,4}(-[a-z]+){1,2}-\d{1,2}$/.test(value);
}
