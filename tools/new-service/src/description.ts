import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Parts of a botocore description for a scaffold. */
export interface ServiceDescription {
  /** Directory in botocore's data, e.g. `kinesis/2013-12-02`. */
  readonly botocore: string;
  /** E.g. `Amazon Kinesis`. */
  readonly fullName: string;
  /** SDK service id, e.g. `Kinesis`. */
  readonly serviceId: string;
  readonly signingName: string;
  readonly endpointPrefix: string;
  /** Prefix of `X-Amz-Target`, if requests have one. */
  readonly targetPrefix: string | undefined;
  /** API version, if requests contain it as `Version`. */
  readonly queryVersion: string | undefined;
  /** Names of the operations, in order. */
  readonly operations: readonly string[];
  /** Operations whose path contains input members, which the SDK requires. */
  readonly labelled: readonly string[];
}

interface Botocore {
  metadata: Record<string, string | undefined>;
  operations: Record<string, { http?: { requestUri?: string } }>;
}

/** Returns the data directory of the installed botocore. @throws Error without Python or botocore */
function botocoreData(): string {
  const script = 'import botocore, os; print(os.path.join(os.path.dirname(botocore.__file__), "data"))';
  try {
    return execFileSync('python3', ['-c', script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch (cause) {
    throw new Error('python3 with botocore is required: pip install botocore', { cause });
  }
}

/**
 * Reads the newest installed description of a service.
 * @param folder in botocore's data, e.g. `kinesis`
 * @throws Error if botocore is not installed or lacks the directory
 */
export function describeService(folder: string): ServiceDescription {
  const data = botocoreData();
  if (!existsSync(join(data, folder)))
    throw new Error(`botocore has no service ${folder}; name a folder of ${data} with --botocore`);
  const version = readdirSync(join(data, folder)).sort().at(-1)!;
  const text = gunzipSync(readFileSync(join(data, folder, version, 'service-2.json.gz'))).toString('utf8');
  const { metadata, operations } = JSON.parse(text) as Botocore;
  const query = metadata.protocol === 'query' || metadata.protocol === 'ec2';
  return {
    botocore: `${folder}/${version}`,
    fullName: metadata.serviceFullName ?? metadata.serviceId ?? folder,
    serviceId: metadata.serviceId ?? folder,
    signingName: metadata.signingName ?? metadata.endpointPrefix ?? folder,
    endpointPrefix: metadata.endpointPrefix ?? folder,
    targetPrefix: metadata.targetPrefix,
    queryVersion: query ? metadata.apiVersion : undefined,
    operations: Object.keys(operations).sort(),
    labelled: Object.keys(operations).filter((name) => operations[name]!.http?.requestUri?.includes('{')),
  };
}

/**
 * Returns the operation to start with: the first that lists, otherwise the first that describes or gets, otherwise the
 * first. Prefers operations without input in the path.
 */
export function firstOperation({ operations, labelled }: Pick<ServiceDescription, 'operations' | 'labelled'>): string {
  const plain = operations.filter((name) => !labelled.includes(name));
  const candidates = plain.length > 0 ? plain : operations;
  const starting = (word: string) => candidates.find((name) => name.startsWith(word));
  return starting('List') ?? starting('Describe') ?? starting('Get') ?? candidates[0]!;
}
