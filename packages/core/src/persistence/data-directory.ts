import { join } from 'node:path';
import { DamagedData } from '../storage/damage.ts';
import { type FileSystem, readText, replaceText } from '../storage/file-system.ts';
import { MANIFEST, type Marks, readManifest, writeManifest } from './manifest.ts';
import { isStateFile } from './service-files.ts';

/** Loaded here only: most emulators start without a data directory. */
const toml = async () => (await import('@iarna/toml')).default;

/** Format of everything below the data directory; another one needs another version of emu. */
const DATA_FORMAT = 1;

/** Name of the file that says so. */
export const VERSION_FILE = 'emulator.version.toml';

/** What a version file says. */
export interface DirectoryVersion {
  /** The emu that made the directory. */
  creator: string;
  /** Whether the directory has a manifest; those of the first versions of emu had none. */
  manifest: boolean;
  /** Whether the ARNs in it are in the partitions of their regions, as every version writes them now. */
  arnsMigrated: boolean;
}

/**
 * Makes the data directory with its version file, or checks the one that is there.
 * @param version of the running service, recorded as the directory's creator
 * @returns what its version file says
 * @throws DamagedData where the version file is damaged or gone
 * @throws Error pointing at the version file where the directory is of another format
 */
export async function openDataDirectory(
  fileSystem: FileSystem,
  directory: string,
  version: string,
): Promise<DirectoryVersion> {
  await fileSystem.makeDirectory(directory);
  const found = await readVersion(fileSystem, directory, version);
  if (found) return found;
  const made = { creator: version, manifest: false, arnsMigrated: true };
  await writeVersion(fileSystem, directory, made);
  return made;
}

/**
 * Reads the manifest of a data directory. One that has none yet is given it: what is there now is what has to be there
 * from then on.
 * @throws DamagedData where the manifest, or the directory of a service that it names, is damaged or gone
 */
export async function openManifest(fileSystem: FileSystem, directory: string, found: DirectoryVersion): Promise<Marks> {
  const marks = await readManifest(fileSystem, directory);
  if (!marks && found.manifest) throw new DamagedData(join(directory, MANIFEST), 'is missing');
  // In this order, so that a start that is interrupted is taken up by the next.
  if (!marks) await writeManifest(fileSystem, directory, new Map());
  if (!found.manifest) await writeVersion(fileSystem, directory, { ...found, manifest: true });
  return marks ?? new Map();
}

/**
 * Reads the version file.
 * @param version of the running service
 * @returns undefined where there is none, nor anything that would need one
 * @throws DamagedData where it is damaged or gone
 * @throws Error pointing at it where the directory is of another format
 */
export async function readVersion(
  fileSystem: FileSystem,
  directory: string,
  version: string,
): Promise<DirectoryVersion | undefined> {
  const path = join(directory, VERSION_FILE);
  const text = await readText(fileSystem, path);
  if (text !== undefined) return parseVersion(path, text, version);
  const services = await servicesIn(fileSystem, directory);
  if (services.length)
    throw new DamagedData(path, `is missing, although the directory holds state of ${services.join(', ')}`);
  if ((await fileSystem.list(directory)).includes(MANIFEST))
    throw new DamagedData(path, `is missing, although the directory has a ${MANIFEST}`);
  return undefined;
}

/** Writes the version file in the place of the one that is there. */
export async function writeVersion(
  fileSystem: FileSystem,
  directory: string,
  { creator, manifest, arnsMigrated }: DirectoryVersion,
): Promise<void> {
  const { stringify } = await toml();
  await replaceText(
    fileSystem,
    join(directory, VERSION_FILE),
    stringify({
      format_version: DATA_FORMAT,
      created_by: creator,
      arn_partitions_migrated: arnsMigrated,
      ...(manifest && { manifest }),
    }),
  );
  await fileSystem.syncDirectory(directory);
}

/** Whether a directory is a data directory. */
export async function hasVersionFile(fileSystem: FileSystem, directory: string): Promise<boolean> {
  return (await readText(fileSystem, join(directory, VERSION_FILE))) !== undefined;
}

/** Names of the services that the directory holds records of, in alphabetical order. */
export async function servicesIn(fileSystem: FileSystem, directory: string): Promise<string[]> {
  const names = (await fileSystem.list(directory)).sort();
  const files = await Promise.all(names.map((name) => fileSystem.list(join(directory, name))));
  return names.filter((_, index) => files[index]!.some(isStateFile));
}

async function parseVersion(path: string, text: string, version: string): Promise<DirectoryVersion> {
  const { parse } = await toml();
  let content: ReturnType<typeof parse>;
  try {
    content = parse(text);
  } catch (cause) {
    throw new DamagedData(path, `is no valid TOML: ${(cause as Error).message.split('\n')[0]}`, undefined, { cause });
  }
  const { format_version: format, created_by: creator, arn_partitions_migrated: migrated, manifest } = content;
  if (format === undefined) throw new DamagedData(path, 'does not say its format_version');
  if (format !== DATA_FORMAT)
    throw new Error(
      `${path} says that the data directory has format ${String(format)}, made by version ${String(creator)}; ` +
        `version ${version} works with format ${DATA_FORMAT}. Use the version that made it, or an empty --data-path.`,
    );
  if (creator === undefined) throw new DamagedData(path, 'does not say its created_by');
  return { creator: String(creator), manifest: manifest === true, arnsMigrated: migrated === true };
}
