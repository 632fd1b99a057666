/** The region that keeps what a partition's accounts have in none. */
const GLOBAL_REGIONS: Readonly<Record<string, string>> = {
  'aws-cn': 'cn-north-1',
  'aws-us-gov': 'us-gov-west-1',
  'aws-iso': 'us-iso-east-1',
  'aws-iso-b': 'us-isob-east-1',
  'aws-iso-e': 'eu-isoe-west-1',
  'aws-iso-f': 'us-isof-south-1',
  'aws-eusc': 'eusc-de-east-1',
};

/** Where AWS keeps what accounts of a partition have in no region: public access blocks, Multi-Region Access Points. */
export const globalRegionOf = (partition: string): string => GLOBAL_REGIONS[partition] ?? 'us-east-1';
