/** Region that stores global state of a partition's accounts. */
const GLOBAL_REGIONS: Readonly<Record<string, string>> = {
  'aws-cn': 'cn-north-1',
  'aws-us-gov': 'us-gov-west-1',
  'aws-iso': 'us-iso-east-1',
  'aws-iso-b': 'us-isob-east-1',
  'aws-iso-e': 'eu-isoe-west-1',
  'aws-iso-f': 'us-isof-south-1',
  'aws-eusc': 'eusc-de-east-1',
};

/** Returns AWS's region of a partition's global state: public access blocks, Multi-Region Access Points. */
export const globalRegionOf = (partition: string): string => GLOBAL_REGIONS[partition] ?? 'us-east-1';
