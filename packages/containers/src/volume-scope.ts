import { createHash, randomUUID } from 'node:crypto';
import { readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContainerVolumes, EmulatorSettings, VolumeClaim, VolumeScope } from '@emu/core/service';
import { ownerLabels } from './ownership.ts';

/** File in a data directory with the random id of its volumes. */
const VOLUME_SCOPE_FILE = 'data-volume-scope';
/** Label of volumes with the path of their data directory. */
const DATA_PATH_LABEL = 'emulator-data-path';
/** Characters of the hash in names. */
const HASH_LENGTH = 12;

/** Volumes with names from a hash of the data directory, or of the run in memory mode. */
class DataVolumes implements VolumeScope {
  constructor(
    readonly hash: string,
    readonly labels: Readonly<Record<string, string>>,
    readonly persistent: boolean,
  ) {}

  name(kind: string, key: string): string {
    const plain = key.replace(/[^A-Za-z0-9_.-]+/g, '-');
    const name = plain === key && key.length <= 120 ? key : `${plain.slice(0, 100)}-${shortHash(key)}`;
    return `emulator-${kind}-data-${this.hash}-${name}`;
  }

  async ensure(volumes: ContainerVolumes, kind: string, key: string): Promise<string> {
    const name = this.name(kind, key);
    await volumes.ensure(name, this.labels);
    return name;
  }

  async list(volumes: ContainerVolumes): Promise<string[]> {
    const beginning = new RegExp(`^emulator-[a-z0-9]+-data-${this.hash}-`);
    return (await volumes.list(this.labels)).map(({ name }) => name).filter((name) => beginning.test(name));
  }

  async adopt<Resource>(
    volumes: ContainerVolumes,
    claims: readonly VolumeClaim<Resource>[],
    warn: (message: string) => void,
  ): Promise<Map<Resource, string>> {
    const adopted = new Map<Resource, string>();
    if (claims.length === 0) return adopted;
    const there = new Set((await volumes.list()).map(({ name }) => name));
    const claimants = new Map<string, Resource[]>();
    for (const { resource, volume } of claims)
      if (there.has(volume)) claimants.set(volume, [...(claimants.get(volume) ?? []), resource]);
    for (const [volume, resources] of claimants) {
      if (resources.length === 1) adopted.set(resources[0]!, volume);
      else warn(`the volume ${volume} is claimed by ${resources.length} resources: each starts on an empty one`);
    }
    return adopted;
  }
}

/**
 * Returns the scope of an emulator. The first use of a data directory writes its random id there.
 * @param run id of this run of the emulator
 */
export async function openVolumeScope(settings: EmulatorSettings, run: string): Promise<VolumeScope> {
  const { EMULATOR_STORAGE_MODE: mode, EMULATOR_DATA_PATH: path } = settings.values;
  if (mode !== 'persistent' || path === undefined) return new DataVolumes(shortHash(run), ownerLabels(run), false);
  // A copied or moved directory has another path, and a new one another id; neither uses the volumes.
  const canonical = await realpath(path);
  const id = await scopeId(canonical);
  return new DataVolumes(shortHash(`${id}\0${canonical}`), { [DATA_PATH_LABEL]: canonical }, true);
}

async function scopeId(directory: string): Promise<string> {
  const file = join(directory, VOLUME_SCOPE_FILE);
  try {
    await writeFile(file, `${randomUUID()}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return (await readFile(file, 'utf8')).trim();
}

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH);
