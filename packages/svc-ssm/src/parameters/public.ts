import { createHash } from 'node:crypto';
import { globalInfrastructure } from './infrastructure.ts';
import { type Branch, branchAt, parametersBelow, treeOf } from './public-tree.ts';

/** Stands for an image id that is constant in a region. */
const AMI = '%ami';
const CANONICAL = '/aws/service/canonical/';

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

/** Names below `/aws/service/` in parts. */
const ROOT = '/aws/service';
const INFRASTRUCTURE = 'global-infrastructure';
const partsOf = (name: string): string[] => name.slice(ROOT.length).split('/').filter(Boolean);

const IMAGE_TREE = treeOf([...IMAGES].sort().map((name) => [partsOf(name), AMI] as const));

/** A public parameter published by AWS. */
export interface PublicParameter {
  readonly name: string;
  readonly value: string;
  readonly dataType: string;
}

/** Whether a name is in the namespace of public parameters. */
export const isPublic = (name: string): boolean => name.startsWith(`${ROOT}/`);

/** Returns the tree of all public parameters whose names begin with the parts. Data is loaded when it is needed. */
async function treeFor([first]: readonly string[]): Promise<Branch> {
  if (first !== undefined && first !== INFRASTRUCTURE) return IMAGE_TREE;
  const infrastructure = await globalInfrastructure();
  return {
    value: undefined,
    children: () => new Map([...IMAGE_TREE.children(), [INFRASTRUCTURE, infrastructure] as const]),
  };
}

/**
 * Returns a parameter in a region. Images do not exist: their ids are derived from name and region, and start with the
 * digits `0e0`. AWS gives the data type of images only to those of Canonical.
 */
function parameterOf(name: string, value: string, region: string): PublicParameter {
  if (value !== AMI) return { name, value, dataType: 'text' };
  const digest = createHash('sha256').update(`${name} ${region}`).digest('hex');
  const dataType = name.startsWith(CANONICAL) ? 'aws:ec2:image' : 'text';
  return { name, value: `ami-0e0${digest.slice(0, 14)}`, dataType };
}

/** Returns a public parameter; undefined for an unknown one. */
export async function publicParameter(name: string, region: string): Promise<PublicParameter | undefined> {
  const parts = partsOf(name);
  const value = branchAt(await treeFor(parts), parts)?.value;
  return value === undefined ? undefined : parameterOf(name, value, region);
}

/**
 * Returns public parameters below a path, parents before children.
 * @param path without a trailing slash
 * @param after name of the parameter to continue after
 * @param limit maximum number of parameters
 */
export async function publicBelow(
  path: string,
  { recursive, after, limit, region }: { recursive: boolean; after: string | undefined; limit: number; region: string },
): Promise<PublicParameter[]> {
  const parts = partsOf(path);
  const branch = branchAt(await treeFor(parts), parts);
  const found: PublicParameter[] = [];
  if (!branch) return found;
  const rest = after === undefined ? [] : partsOf(after).slice(parts.length);
  for (const [name, value] of parametersBelow(branch, path, recursive, rest)) {
    if (found.length === limit) break;
    found.push(parameterOf(name, value, region));
  }
  return found;
}
