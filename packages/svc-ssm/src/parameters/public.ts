import { createHash } from 'node:crypto';

/** Public parameters by name suffix; `%ami` stands for an image id that is constant in a region. */
const AMI = '%ami';

/** Paths of images published by AWS and its partners. */
const IMAGES = [
  ...['al2023-ami-kernel-default', 'al2023-ami-kernel-6.1', 'al2023-ami-kernel-6.12'].flatMap((name) =>
    ['x86_64', 'arm64'].map((architecture) => `/aws/service/ami-amazon-linux-latest/${name}-${architecture}`),
  ),
  ...['al2023-ami-minimal-kernel-default-x86_64', 'al2023-ami-minimal-kernel-default-arm64'].map(
    (name) => `/aws/service/ami-amazon-linux-latest/${name}`,
  ),
  ...['gp2', 'gp3', 'ebs'].flatMap((disk) => [
    `/aws/service/ami-amazon-linux-latest/amzn2-ami-hvm-x86_64-${disk}`,
    `/aws/service/ami-amazon-linux-latest/amzn2-ami-hvm-arm64-${disk}`,
  ]),
  ...['2019', '2022', '2025'].flatMap((year) =>
    ['Full-Base', 'Core-Base'].map(
      (edition) => `/aws/service/ami-windows-latest/Windows_Server-${year}-English-${edition}`,
    ),
  ),
  ...['20.04', '22.04', '24.04'].flatMap((version) =>
    ['amd64', 'arm64'].map(
      (architecture) =>
        `/aws/service/canonical/ubuntu/server/${version}/stable/current/${architecture}/hvm/ebs-gp3/ami-id`,
    ),
  ),
  ...['amazon-linux-2', 'amazon-linux-2/arm64', 'amazon-linux-2023', 'amazon-linux-2023/arm64'].map(
    (name) => `/aws/service/ecs/optimized-ami/${name}/recommended/image_id`,
  ),
  ...['1.31', '1.32', '1.33', '1.34'].flatMap((version) => [
    ...['x86_64', 'arm64'].map(
      (architecture) =>
        `/aws/service/eks/optimized-ami/${version}/amazon-linux-2023/${architecture}/standard/recommended/image_id`,
    ),
    ...['x86_64', 'arm64'].map(
      (architecture) => `/aws/service/bottlerocket/aws-k8s-${version}/${architecture}/latest/image_id`,
    ),
  ]),
];

/** Regions with their long names. */
const REGIONS: Readonly<Record<string, string>> = {
  'af-south-1': 'Africa (Cape Town)',
  'ap-northeast-1': 'Asia Pacific (Tokyo)',
  'ap-northeast-2': 'Asia Pacific (Seoul)',
  'ap-northeast-3': 'Asia Pacific (Osaka)',
  'ap-south-1': 'Asia Pacific (Mumbai)',
  'ap-southeast-1': 'Asia Pacific (Singapore)',
  'ap-southeast-2': 'Asia Pacific (Sydney)',
  'ca-central-1': 'Canada (Central)',
  'eu-central-1': 'Europe (Frankfurt)',
  'eu-north-1': 'Europe (Stockholm)',
  'eu-south-1': 'Europe (Milan)',
  'eu-west-1': 'Europe (Ireland)',
  'eu-west-2': 'Europe (London)',
  'eu-west-3': 'Europe (Paris)',
  'me-south-1': 'Middle East (Bahrain)',
  'sa-east-1': 'South America (Sao Paulo)',
  'us-east-1': 'US East (N. Virginia)',
  'us-east-2': 'US East (Ohio)',
  'us-west-1': 'US West (N. California)',
  'us-west-2': 'US West (Oregon)',
};

const INFRASTRUCTURE = '/aws/service/global-infrastructure/regions';

const VALUES: Readonly<Record<string, string>> = Object.fromEntries([
  ...IMAGES.map((name) => [name, AMI] as const),
  ...Object.entries(REGIONS).flatMap(([region, name]) => [
    [`${INFRASTRUCTURE}/${region}`, region] as const,
    [`${INFRASTRUCTURE}/${region}/longName`, name] as const,
    [`${INFRASTRUCTURE}/${region}/domain`, 'amazonaws.com'] as const,
    [`${INFRASTRUCTURE}/${region}/partition`, 'aws'] as const,
  ]),
]);

const NAMES = Object.keys(VALUES).sort();

/** A public parameter published by AWS. */
export interface PublicParameter {
  readonly name: string;
  readonly value: string;
  readonly dataType: string;
}

/** Whether a name is in the namespace of public parameters. */
export const isPublic = (name: string): boolean => name.startsWith('/aws/service/');

/**
 * Returns a public parameter; undefined for an unknown one. Images do not exist: their ids are derived from name and
 * region, and start with the digits `0e0`.
 */
export function publicParameter(name: string, region: string): PublicParameter | undefined {
  if (!Object.hasOwn(VALUES, name)) return undefined;
  const value = VALUES[name]!;
  if (value !== AMI) return { name, value, dataType: 'text' };
  const digest = createHash('sha256').update(`${name} ${region}`).digest('hex');
  return { name, value: `ami-0e0${digest.slice(0, 14)}`, dataType: 'aws:ec2:image' };
}

/**
 * Returns the public parameters below a path, ordered by name.
 * @param path without a trailing slash
 */
export const publicBelow = (path: string, recursive: boolean, region: string): PublicParameter[] =>
  NAMES.filter((name) => name.startsWith(`${path}/`) && (recursive || !name.slice(path.length + 1).includes('/'))).map(
    (name) => publicParameter(name, region)!,
  );
