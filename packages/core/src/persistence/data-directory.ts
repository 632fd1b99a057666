import { join } from 'node:path';
import { type FileSystem, readText, replaceText } from './file-system.ts';
import { isStateFile } from './journal.ts';

/** Loaded here only: most emulators start without a data directory. */
const toml = () => import('@iarna/toml');

/** Format of everything below the data directory; another one needs another version of emu. */
export const DATA_FORMAT = 1;

const VERSION_FILE = 'emulator.version.toml';

/**
 * Makes the data directory with its version file, or checks the one that is there.
 * @param version of the running service, recorded as the directory's creator
 * @returns whether the ARNs in it are in the partitions of their regions, as every version writes them now
 * @throws Error pointing at the version file where the directory is of another format
 */
export async function openDataDirectory(fileSystem: FileSystem, directory: string, version: string): Promise<boolean> {
  await fileSystem.makeDirectory(directory);
  const path = join(directory, VERSION_FILE);
  const text = await readText(fileSystem, path);
  if (text !== undefined) {
    return checkVersion(path, text, version);
  }
  const services = await servicesIn(fileSystem, directory);
  if (services.length)
    throw new Error(`${path} is missing, although the directory holds state of ${services.join(', ')}`);
  await writeVersion(fileSystem, directory, version);
  return true;
}

/** Notes that the ARNs of all services are in the partitions of their regions. */
export async function noteArnPartitions(fileSystem: FileSystem, directory: string): Promise<void> {
  const { default: TOML } = await toml();
  const text = (await readText(fileSystem, join(directory, VERSION_FILE))) ?? '';
  await writeVersion(fileSystem, directory, String(TOML.parse(text).created_by));
}

async function writeVersion(fileSystem: FileSystem, directory: string, creator: string): Promise<void> {
  const {
    default: { stringify },
  } = await toml();
  await replaceText(
    fileSystem,
    join(directory, VERSION_FILE),
    stringify({ format_version: DATA_FORMAT, created_by: creator, arn_partitions_migrated: true }),
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

async function checkVersion(path: string, text: string, version: string): Promise<boolean> {
  const {
    default: { parse },
  } = await toml();
  let content: ReturnType<typeof parse>;
  try {
    content = parse(text);
  } catch (cause) {
    throw new Error(`${path} is no valid TOML: ${(cause as Error).message}`, { cause });
  }
  const { format_version: format, created_by: creator, arn_partitions_migrated: migrated } = content;
  if (format !== DATA_FORMAT)
    throw new Error(
      `${path} says that the data directory has format ${String(format)}, made by version ${String(creator)}; ` +
        `version ${version} works with format ${DATA_FORMAT}. Use the version that made it, or an empty --data-path.`,
    );
  return migrated === true;
}
