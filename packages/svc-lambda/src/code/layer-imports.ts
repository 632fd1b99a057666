import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceHandle } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { conflict, invalidParameterValue } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { LAMBDA_OPTIONS } from '../options.ts';
import type { LayerVersion } from '../records.ts';
import { layerVersionType } from '../resources.ts';
import type { LambdaState } from '../state.ts';
import { renewLayer } from '../versions.ts';
import { storeZip, unzippedTooLarge } from './code.ts';
import { findLayerVersion } from './layers.ts';

type Service = ServiceHandle<LambdaState>;

const ARN = /^arn:[a-z-]+:lambda:[a-z0-9-]+:\d{12}:layer:[a-zA-Z0-9-_]{1,140}:[1-9]\d{0,9}$/;

/** A layer version's account, region, name and number. */
export interface LayerAddress {
  accountId: string;
  region: string;
  layerName: string;
  version: number;
}

/** Parses the ARN of a layer version; undefined if it is malformed. */
export function layerAddress(arn: string): LayerAddress | undefined {
  const address = ARN.test(arn) ? layerVersionType.parse(arn) : undefined;
  if (!address) return undefined;
  const { key, place } = address;
  return { accountId: place.accountId, region: place.region, layerName: key.name, version: Number(key.version) };
}

/**
 * Imports a layer version of any account, such as a public one of AWS, readable by everyone. Replaces an earlier
 * import. Functions that use it get its content, including those created without it.
 * @throws AwsError `InvalidParameterValueException` for an invalid archive or one too large when unzipped,
 * `ResourceConflictException` if the account published this version itself
 */
export async function importLayer(
  { accountId, region, layerName, version }: LayerAddress,
  bytes: Buffer,
  service: Service,
): Promise<LayerVersion> {
  const state = service.state(accountId, region);
  const key = `${layerName}:${version}`;
  const code = await storeZip(bytes, state);
  try {
    const arn = layerVersionType.arn({ name: layerName, version: String(version) }, state);
    const existing = state.layerVersions.get(key);
    if (existing && !existing.imported) throw conflict(`Account ${accountId} has published layer version ${arn}.`);
    const lastVersion = Math.max(version, state.layers.get(layerName)?.lastVersion ?? 0);
    state.layers.put(layerName, { name: layerName, lastVersion });
    const layer = state.layerVersions.put(key, {
      layerName,
      version,
      description: '',
      createdAt: state.clock.now(),
      code,
      policy: {
        statements: [
          { Sid: 'imported', Effect: 'Allow', Principal: '*', Action: 'lambda:GetLayerVersion', Resource: arn },
        ],
        revisionId: state.ids.uuid(),
      },
      imported: true,
    });
    const { body, size, unzippedSize } = code;
    for (const other of service.states())
      if (other.region === region) renewLayer(other.state, { arn, body, size, unzippedSize });
    return layer;
  } finally {
    state.bodies.release(code.body);
  }
}

/** Yields every imported layer version of the emulator. */
export function* importedLayers(service: Service): Generator<{ state: LambdaState; layer: LayerVersion }> {
  for (const { state } of service.states())
    for (const layer of state.layerVersions.values()) if (layer.imported) yield { state, layer };
}

/**
 * Removes an imported layer version; functions that use it keep it.
 * @returns whether it existed
 */
export function removeImport({ accountId, region, layerName, version }: LayerAddress, service: Service): boolean {
  const state = service.existingState(accountId, region);
  const key = `${layerName}:${version}`;
  if (!state?.layerVersions.get(key)?.imported) return false;
  state.layerVersions.delete(key);
  return true;
}

/**
 * Imports missing layer versions of other accounts from the directory of the settings, if it has them.
 * @throws AwsError `InvalidParameterValueException` for an unusable file
 */
export async function loadLayers(arns: readonly string[], state: LambdaState): Promise<void> {
  const directory = state.service.settings.of(LAMBDA_OPTIONS).EMULATOR_LAMBDA_LAYER_DIRECTORY;
  if (directory === undefined) return;
  for (const arn of arns) {
    const address = layerAddress(arn);
    if (!address || address.region !== state.region || address.accountId === state.accountId) continue;
    if (findLayerVersion(arn, state)) continue;
    const path = join(directory, layerFile(address));
    const bytes = await readLayer(path);
    if (!bytes) continue;
    await importLayer(address, bytes, state.service).catch((error: unknown) => {
      throw error instanceof AwsError ? invalidParameterValue(`${path} cannot be used: ${error.message}`) : error;
    });
  }
}

/** Returns the path of a layer version within the directory of the settings. */
const layerFile = ({ accountId, region, layerName, version }: LayerAddress): string =>
  join(region, accountId, `${layerName}-${version}.zip`);

/**
 * Reads the file of a layer version; undefined if it is missing.
 * @throws AwsError `InvalidParameterValueException` for one above the size limit; Error of the file system
 */
async function readLayer(path: string): Promise<Buffer | undefined> {
  try {
    const { size } = await stat(path);
    if (size > LIMITS.unzippedSize) throw unzippedTooLarge();
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
