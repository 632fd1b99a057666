import { join } from 'node:path';
import { hashFile } from '../bodies/checks.ts';
import type { ServiceMark } from '../persistence/manifest.ts';
import { type FoundState, readState } from '../persistence/service-files.ts';
import type { ServiceStore } from '../state/store.ts';
import { DamagedData } from '../storage/damage.ts';
import type { FileSystem } from '../storage/file-system.ts';

/** Counts the bodies that records refer to. */
export interface BodyReferences {
  retain(id: string): void;
  release(id: string): void;
}

/** Creates an empty store of a service; undefined for a service unknown to this version. */
export type StoreMaker = (service: string, bodies: BodyReferences) => Promise<ServiceStore | undefined>;

/** A service's directory, and its required content. */
export interface InspectedPlace {
  fileSystem: FileSystem;
  service: string;
  directory: string;
  mark: ServiceMark | undefined;
  makeStore: StoreMaker;
}

/** State of a service's snapshot and journals. */
export interface StateFindings {
  found: FoundState | undefined;
  /** The first damaged file. */
  damage: DamagedData | undefined;
  /** Number of readable records, up to the damage if any. */
  records: number;
  /** Ids of the bodies of these records. */
  bodies: ReadonlySet<string>;
}

/** Reads a service's records as a start does, and reports what would prevent the start. */
export async function inspectState({ makeStore, ...place }: InspectedPlace): Promise<StateFindings> {
  const bodies = new Set<string>();
  const store = await makeStore(place.service, { retain: (id) => bodies.add(id), release: () => {} });
  let found: FoundState | undefined;
  let damage: DamagedData | undefined;
  try {
    // Records of an unknown service are read only to check their checksums.
    found = await readState(place, (change) => store?.restore(change));
  } catch (error) {
    if (!(error instanceof DamagedData)) throw error;
    damage = error;
  }
  store?.retainBodies();
  const records = store?.hold().reduce((count, { entries }) => count + entries.length, 0) ?? 0;
  return { found, damage, records, bodies };
}

/** State of a service's bodies. */
export interface BodyFindings {
  /** Number of intact bodies. */
  whole: number;
  /** Paths of damaged bodies. */
  damaged: { id: string; path: string }[];
  /** Paths of missing bodies that records refer to. */
  missing: string[];
  /** Number of unreferenced files, set aside by earlier starts. */
  orphans: number;
}

/** Compares every body with its name. @param referred ids in records */
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
