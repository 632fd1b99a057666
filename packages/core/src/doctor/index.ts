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

/** What a data directory is inspected with. */
export interface DoctorOptions {
  /** The data directory. */
  directory: string;
  /** Version of this emu. */
  version: string;
  /** The services that it has. */
  manifests: readonly ServiceManifest[];
  /** Whether damaged parts are set aside; otherwise nothing is changed. */
  repair: boolean;
  log: Logger;
  /** Epoch milliseconds, which name the directory of what is set aside. */
  now: number;
}

/** What was found of a service. */
export interface ServiceReport {
  service: string;
  /** Records that could be read. */
  records: number;
  /** Bodies that are whole. */
  bodies: number;
  /** What is damaged or lost, and what was done about it; a sentence each, none where all is whole. */
  damage: string[];
  /** What else is worth knowing; a sentence each. */
  notes: string[];
}

/** What was found of a data directory. */
export interface DoctorReport {
  /** What is wrong with the directory's own files. */
  damage: string[];
  services: ServiceReport[];
  /** Where damaged files were moved to; undefined where none was. */
  setAside: string | undefined;
  /** Whether emu starts with the directory as it is now. */
  starts: boolean;
  /** The process that used the directory meanwhile, so that what is damaged may only be half written. */
  user?: string;
}

/** How often a directory that is in use is read anew where something in it seems to be damaged. */
const ATTEMPTS = 5;

/**
 * Reads a data directory and says what of it is whole; with `repair` moves what is not to `damaged/<time>/` in it, so that
 * emu starts. Where an emulator uses it the files change meanwhile: it is read again until all of it is whole, a few times.
 * @returns undefined where the directory holds nothing of emu
 * @throws Error where the directory is of another format, or, with `repair`, in use
 */
export async function inspectDataDirectory(options: DoctorOptions): Promise<DoctorReport | undefined> {
  if (!options.repair) return look(options);
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
async function look(options: DoctorOptions): Promise<DoctorReport | undefined> {
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

/** Whether nothing was found to be damaged. */
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

/** Looks at the version file and the manifest. @returns undefined where there is nothing of emu */
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
  // A directory without a manifest may be of a version that migrated nothing; to do it again harms none.
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

/** Makes stores of the services of this version, and of what the emulator keeps itself. */
const storeMaker =
  (manifests: readonly ServiceManifest[]): StoreMaker =>
  async (service: string, bodies: BodyReferences) => {
    const own = [makeOwnStore(), new StoredCredentials().store].find((store) => store.service === service);
    if (own) return own;
    const plugin = await manifests.find(({ name }) => name === service)?.load();
    return plugin && new ServiceStore(plugin.name, plugin.collections, () => bodies);
  };
