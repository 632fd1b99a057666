import { join } from 'node:path';
import type { Logger } from '../base/log.ts';
import {
  type DirectoryVersion,
  readVersion,
  servicesIn,
  VERSION_FILE,
  writeVersion,
} from '../persistence/data-directory.ts';
import { holderOf, lockDirectory } from '../persistence/data-directory-lock.ts';
import { MANIFEST, type Marks, readManifest, type ServiceMark, writeManifest } from '../persistence/manifest.ts';
import type { ServiceManifest } from '../plugin/manifest.ts';
import { makeOwnStore } from '../services/own-state.ts';
import { StoredCredentials } from '../services/stored-credentials.ts';
import { ServiceStore } from '../state/store.ts';
import { DamagedData } from '../storage/damage.ts';
import { nodeFileSystem } from '../storage/file-system.ts';
import { repairState } from './repair.ts';
import {
  type BodyReferences,
  type InspectedPlace,
  inspectBodies,
  inspectState,
  type StoreMaker,
} from './service-inspection.ts';
import { Aside } from './set-aside.ts';

/** Options of an inspection. */
export interface DoctorOptions {
  /** The data directory. */
  directory: string;
  /** Version of this emu. */
  version: string;
  /** The services that it has. */
  manifests: readonly ServiceManifest[];
  /** Whether damaged parts are set aside; nothing is changed by default. */
  repair: boolean;
  log: Logger;
  /** Epoch milliseconds, in the name of the directory for damaged files. */
  now: number;
}

/** Result for a service. */
export interface ServiceReport {
  service: string;
  /** Number of readable records. */
  records: number;
  /** Number of intact bodies. */
  bodies: number;
  /** Damage and losses, and what was repaired; a sentence each, empty for intact data. */
  damage: string[];
  /** Further remarks; a sentence each. */
  notes: string[];
}

/** Result for a data directory. */
export interface DoctorReport {
  /** Problems of the directory's own files. */
  damage: string[];
  services: ServiceReport[];
  /** Directory of the damaged files; undefined if none was moved. */
  setAside: string | undefined;
  /** Whether emu starts with the directory in its present state. */
  starts: boolean;
  /** The process that used the directory meanwhile: reported damage may be an incomplete write. */
  user?: string;
}

/** Number of attempts to read a directory in use that seems to be damaged. */
const ATTEMPTS = 5;

/**
 * Inspects a data directory; with `repair` moves damaged files to `damaged/<time>/` in it, so that emu starts. If an
 * emulator uses it, its files change meanwhile: it is read again a few times until all of it is intact.
 * @returns undefined for a directory without data of emu
 * @throws Error for a directory of another format or, with `repair`, in use
 */
export async function inspectDataDirectory(options: DoctorOptions): Promise<DoctorReport | undefined> {
  if (!options.repair) return inspectInUse(options);
  const { directory, log } = options;
  if (!(await nodeFileSystem.list(directory)).length) return undefined;
  const lock = await lockDirectory(directory, { log });
  try {
    return await inspect(options);
  } finally {
    await lock.release();
  }
}

/** Reads a directory that may be in use. */
async function inspectInUse(options: DoctorOptions): Promise<DoctorReport | undefined> {
  for (let attempt = 1; ; attempt++) {
    const before = await userOf(options.directory);
    const report = await inspect(options);
    const user = (await userOf(options.directory)) ?? before;
    if (!report || user === undefined) return report;
    if (attempt === ATTEMPTS || isWhole(report)) return { ...report, user };
  }
}

async function userOf(directory: string): Promise<string | undefined> {
  if (!(await nodeFileSystem.list(directory)).length) return undefined;
  return (await holderOf(directory))?.user;
}

/** Whether no damage was found. */
export const isWhole = ({ damage, services }: DoctorReport): boolean =>
  !damage.length && services.every((service) => !service.damage.length);

async function inspect(options: DoctorOptions): Promise<DoctorReport | undefined> {
  const { directory, repair, now } = options;
  const aside = new Aside(nodeFileSystem, directory, now);
  const own = await inspectOwnFiles(options, aside);
  if (!own) return undefined;
  const marks = new Map(own.marks);
  const services: ServiceReport[] = [];
  const names = new Set([...(await servicesIn(nodeFileSystem, directory)), ...marks.keys()]);
  let starts = !own.damage.length;
  for (const service of [...names].sort()) {
    const inspected = await inspectService(options, service, marks.get(service), aside);
    services.push(inspected.report);
    if (inspected.stops) starts = false;
    if (repair && inspected.report.damage.length) marks.delete(service);
  }
  if (repair && (own.damage.length || marks.size !== own.marks.size)) {
    await writeManifest(nodeFileSystem, directory, marks);
    await writeVersion(nodeFileSystem, directory, { ...own.version, manifest: true });
  }
  return {
    damage: own.damage,
    services,
    setAside: aside.isUsed ? aside.directory : undefined,
    starts: starts || repair,
  };
}

/** Checks the version file and the manifest. @returns undefined without data of emu */
async function inspectOwnFiles(
  { directory, version, repair }: DoctorOptions,
  aside: Aside,
): Promise<{ damage: string[]; marks: Marks; version: DirectoryVersion } | undefined> {
  const damage: string[] = [];
  const note = async (error: unknown, name: string): Promise<void> => {
    if (!(error instanceof DamagedData)) throw error;
    const files = await nodeFileSystem.list(directory);
    damage.push(error.message + (repair ? '; it was made anew' : ''));
    if (repair && files.includes(name)) await aside.move(join(directory, name));
  };
  let own: DirectoryVersion | undefined;
  try {
    own = await readVersion(nodeFileSystem, directory, version);
    if (!own) return undefined;
  } catch (error) {
    await note(error, VERSION_FILE);
  }
  let marks: Marks | undefined;
  try {
    marks = await readManifest(nodeFileSystem, directory);
    if (!marks && own?.manifest) throw new DamagedData(join(directory, MANIFEST), 'is missing');
  } catch (error) {
    await note(error, MANIFEST);
  }
  // A directory without a manifest may be of a version without migration; migrating again is harmless.
  own ??= { creator: version, manifest: false, arnsMigrated: marks !== undefined };
  return { damage, marks: marks ?? new Map<string, ServiceMark>(), version: own };
}

async function inspectService(
  { directory, manifests, repair, log }: DoctorOptions,
  service: string,
  mark: ServiceMark | undefined,
  aside: Aside,
): Promise<{ report: ServiceReport; stops: boolean }> {
  const place: InspectedPlace = {
    fileSystem: nodeFileSystem,
    service,
    directory: join(directory, service),
    mark,
    makeStore: storeMaker(manifests),
  };
  const first = await inspectState(place);
  const { findings, state } = repair
    ? await repairState(place, first, aside)
    : { findings: [first.damage?.message, first.found?.loss].filter((text) => text !== undefined), state: first };
  const bodies = await inspectBodies(place, state.bodies);
  for (const { path } of bodies.damaged) {
    if (repair) await aside.move(path);
    findings.push(`${path} does not hold what was written${repair ? '; it was set aside' : ''}`);
  }
  for (const path of bodies.missing) findings.push(`${path} is missing`);
  const plugin = await manifests.find(({ name }) => name === service)?.load();
  const data = await plugin?.inspectData?.(
    { fileSystem: nodeFileSystem, directory: place.directory, log, expected: mark?.data === true },
    repair ? { setAside: (path) => aside.move(path) } : undefined,
  );
  findings.push(...(data?.damage ?? []));
  const report = { service, records: state.records, bodies: bodies.whole, damage: findings, notes: [] as string[] };
  const last = state.found?.journals.at(-1);
  if (last && last.fileSize > last.size)
    report.notes.push(
      `${last.path} ends within a change that was being written: ${last.fileSize - last.size} bytes will be dropped`,
    );
  if (bodies.orphans)
    report.notes.push(`${bodies.orphans} files in ${join(place.directory, 'orphans')} belong to no record`);
  return { report, stops: state.damage !== undefined || (data?.stops ?? false) };
}

/** Creates stores of this version's services, and of the emulator's own state. */
const storeMaker =
  (manifests: readonly ServiceManifest[]): StoreMaker =>
  async (service: string, bodies: BodyReferences) => {
    const own = [makeOwnStore(), new StoredCredentials().store].find((store) => store.service === service);
    if (own) return own;
    const plugin = await manifests.find(({ name }) => name === service)?.load();
    return plugin && new ServiceStore(plugin.name, plugin.collections, () => bodies);
  };
