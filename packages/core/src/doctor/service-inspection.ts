import { join } from 'node:path';
import { hashFile } from '../bodies/checks.ts';
import type { ServiceMark } from '../persistence/manifest.ts';
import { type FoundState, readState } from '../persistence/service-files.ts';
import type { ServiceStore } from '../state/store.ts';
import { DamagedData } from '../storage/damage.ts';
import type { FileSystem } from '../storage/file-system.ts';

/** Who counts the bodies that records refer to. */
export interface BodyReferences {
  retain(id: string): void;
  release(id: string): void;
}

/** Makes an empty store of a service; undefined for a service that this version does not have. */
export type StoreMaker = (service: string, bodies: BodyReferences) => Promise<ServiceStore | undefined>;

/** A service's directory, and what has to be in it. */
export interface InspectedPlace {
  fileSystem: FileSystem;
  service: string;
  directory: string;
  mark: ServiceMark | undefined;
  makeStore: StoreMaker;
}

/** What a service's snapshot and journals are worth. */
export interface StateFindings {
  found: FoundState | undefined;
  /** The first file that is not what was written. */
  damage: DamagedData | undefined;
  /** Records that could be read, those before the damage where there is any. */
  records: number;
  /** Ids of the bodies that they refer to. */
  bodies: ReadonlySet<string>;
}

/** Reads a service's records as a start does, and notes what would stop it. */
export async function inspectState({ makeStore, ...place }: InspectedPlace): Promise<StateFindings> {
  const bodies = new Set<string>();
  const store = await makeStore(place.service, { retain: (id) => bodies.add(id), release: () => {} });
  let found: FoundState | undefined;
  let damage: DamagedData | undefined;
  try {
    // Records of a service that nobody knows are read for their checksums alone.
    found = await readState(place, (change) => store?.restore(change));
  } catch (error) {
    if (!(error instanceof DamagedData)) throw error;
    damage = error;
  }
  store?.retainBodies();
  const records = store?.hold().reduce((count, { entries }) => count + entries.length, 0) ?? 0;
  return { found, damage, records, bodies };
}

/** What a service's bodies are worth. */
export interface BodyFindings {
  /** Bodies that are what was written. */
  whole: number;
  /** Paths of those that are not. */
  damaged: { id: string; path: string }[];
  /** Paths of those that records refer to and that are gone. */
  missing: string[];
  /** Files that nothing refers to, set aside by earlier starts. */
  orphans: number;
}

/** Compares every body with its name. @param referred to by records */
export async function inspectBodies(
  { fileSystem, directory }: InspectedPlace,
  referred: ReadonlySet<string>,
): Promise<BodyFindings> {
  const folder = join(directory, 'bodies');
  const orphans = (await fileSystem.list(join(directory, 'orphans'))).length;
  const findings: BodyFindings = { whole: 0, damaged: [], missing: [], orphans };
  const there = new Set<string>();
  for (const part of await fileSystem.list(folder))
    for (const id of await fileSystem.list(join(folder, part))) {
      there.add(id);
      const path = join(folder, part, id);
      if (await isWhole(fileSystem, path, id)) findings.whole++;
      else findings.damaged.push({ id, path });
    }
  for (const id of referred) if (!there.has(id)) findings.missing.push(join(folder, id.slice(0, 2), id));
  return findings;
}

async function isWhole(fileSystem: FileSystem, path: string, id: string): Promise<boolean> {
  const file = await fileSystem.open(path, 'r');
  try {
    return (await hashFile(file)) === id;
  } finally {
    await file.close();
  }
}
