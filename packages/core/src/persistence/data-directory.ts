import { join } from 'node:path';
import { DamagedData } from '../storage/damage.ts';
import { type FileSystem, readText, replaceText } from '../storage/file-system.ts';
import { MANIFEST, type Marks, readManifest, writeManifest } from './manifest.ts';
import { isStateFile } from './service-files.ts';

/** Loads the TOML parser lazily: most emulators start without a data directory. */
const toml = async () => (await import('@iarna/toml')).default;

/** Format of the data directory; another format requires another version of emu. */
const DATA_FORMAT = 1;

/** Name of the version file. */
export const VERSION_FILE = 'emulator.version.toml';

/** Content of a version file. */
export interface DirectoryVersion {
  /** Version of emu that created the directory. */
  creator: string;
  /** Whether the directory has a manifest; the first versions of emu wrote none. */
  manifest: boolean;
  /** Whether its ARNs have the partitions of their regions, as all current versions write them. */
  arnsMigrated: boolean;
}

/**
 * Creates the data directory with its version file, or checks the existing one.
 * @param version version of emu, recorded as the directory's creator
 * @returns the content of its version file
 * @throws DamagedData if the version file is damaged or missing
 * @throws Error naming the version file if the directory has another format
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
 * Reads the manifest of a data directory. Creates a missing one from the current content, which is required from then
 * on.
 * @throws DamagedData if the manifest, or the directory of a service in it, is damaged or missing
 */
export async function openManifest(fileSystem: FileSystem, directory: string, found: DirectoryVersion): Promise<Marks> {
  const marks = await readManifest(fileSystem, directory);
  if (!marks && found.manifest) throw new DamagedData(join(directory, MANIFEST), 'is missing');
  // This order lets the next start continue an interrupted one.
  if (!marks) await writeManifest(fileSystem, directory, new Map());
  if (!found.manifest) await writeVersion(fileSystem, directory, { ...found, manifest: true });
  return marks ?? new Map();
}

/**
 * Reads the version file.
 * @param version version of emu
 * @returns undefined without the file and without data that would require it
 * @throws DamagedData if it is damaged or missing
 * @throws Error naming it if the directory has another format
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

/** Replaces the version file. */
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

/** Returns the names of the services with records in the directory, in alphabetical order. */
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
    throw new DamagedData(path, `is not valid TOML: ${(cause as Error).message.split('\n')[0]}`, undefined, { cause });
  }
  const { format_version: format, created_by: creator, arn_partitions_migrated: migrated, manifest } = content;
  if (format === undefined) throw new DamagedData(path, 'has no format_version');
  if (format !== DATA_FORMAT)
    throw new Error(
      `${path} says that the data directory has format ${String(format)}, made by version ${String(creator)}; ` +
        `version ${version} works with format ${DATA_FORMAT}. Use the version that made it, or an empty --data-path.`,
    );
  if (creator === undefined) throw new DamagedData(path, 'has no created_by');
  return { creator: String(creator), manifest: manifest === true, arnsMigrated: migrated === true };
}
