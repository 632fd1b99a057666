/**
 * AWS's domains whose hosts are services and their resources, with the region of names without one; undefined if such
 * names contain no service. Longer domains come first.
 * @see https://docs.aws.amazon.com/general/latest/gr/rande.html
 */
export const PROVIDER_DOMAINS: readonly (readonly [suffix: string, region: string])[] = [
  ['.api.amazonwebservices.com.cn', 'cn-north-1'],
  ['.amazonaws.com.cn', 'cn-north-1'],
  ['.amazonaws.com', 'us-east-1'],
  ['.api.aws', 'us-east-1'],
  ['.amazonaws.eu', 'eusc-de-east-1'],
  ['.c2s.ic.gov', 'us-iso-east-1'],
  ['.sc2s.sgov.gov', 'us-isob-east-1'],
  ['.cloud.adc-e.uk', 'eu-isoe-west-1'],
  ['.csp.hci.ic.gov', 'us-isof-south-1'],
];

/**
 * AWS's domains whose hosts are resources only, with the label of their service if the names do not contain it:
 * function URLs, hosted pages of user pools, distributions.
 */
export const RESOURCE_DOMAINS: readonly (readonly [suffix: string, label: string | undefined])[] = [
  ['.on.amazonwebservices.com.cn', undefined],
  ['.on.aws', undefined],
  ['.amazoncognito.com', undefined],
  ['.cloudfront.net', 'cloudfront'],
  ['.cloudfront.cn', 'cloudfront'],
];

/** Suffixes of the names that belong to AWS's services and their resources, each with a dot in front. */
export const AWS_SUFFIXES: readonly string[] = [...PROVIDER_DOMAINS, ...RESOURCE_DOMAINS].map(([suffix]) => suffix);

/** Whether a name belongs to a service of AWS or to a resource of one. @param name in lower case, without a port */
export const isAwsName = (name: string): boolean => AWS_SUFFIXES.some((suffix) => name.endsWith(suffix));

/**
 * Whether a name matches a list of names, in which `*.name` stands for every name below one, and `*` for every name.
 * @param name in lower case, without a port
 */
export const matchesHost = (name: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) =>
    pattern === '*' || pattern === name ? true : pattern.startsWith('*.') && name.endsWith(pattern.slice(1)),
  );
