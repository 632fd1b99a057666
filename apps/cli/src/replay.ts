import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createEmulator, SERVICES } from '@emu/emulator';
import { openRecording, type RecordedLine } from '@emu/recording';
import {
  CLASSES,
  type DifferenceClass,
  embeddedTarget,
  httpTarget,
  type IgnoreList,
  ignoreListText,
  ignoringEntry,
  parseIgnoreList,
  REPORTS,
  type ReplayOptions,
  type ReplayResult,
  type ReplaySource,
  type ReportFormat,
  replay,
  reportOf,
  withAccepted,
} from '@emu/replay';
import { control, health } from './control.ts';
import { Failure } from './failure.ts';
import { sealProcess } from './seal.ts';

/** Options of `emu replay`. */
export interface ReplayCommand {
  readonly files: readonly string[];
  /** Names of the services whose requests are replayed, separated by commas; all by default. */
  readonly services: string | undefined;
  readonly report: string;
  /** URL of a running emulator; by default one starts in this process. */
  readonly endpoint: string | undefined;
  readonly concurrent: boolean;
  /** Classes of differences that fail, separated by commas; all by default. */
  readonly classes: string | undefined;
  /** File of ignored differences. */
  readonly ignore: string | undefined;
  /** Reason with which all left differences are added to the file. */
  readonly accept: string | undefined;
  /** Whether code in the recording may run, and emu may connect to addresses in it. */
  readonly trust: boolean;
}

/** Maximum bytes of all recordings of a replay, which are in memory. */
const MAX_BYTES = 512 * 1024 * 1024;
/** Maximum number of requests. */
const MAX_REQUESTS = 1_000_000;
const IGNORE_FILE = 'emu-replay.json';

/**
 * `emu replay <file>…`: replays recordings, and prints the differences.
 * @returns 1 if differences are left, otherwise 0
 * @throws Failure for an invalid option or file, or without a running emulator at the endpoint
 */
export async function replayFiles(command: ReplayCommand): Promise<number> {
  const report = oneOf('--report', command.report, REPORTS);
  const classes = listOf('--classes', command.classes, CLASSES);
  const services = listOf(
    '--service',
    command.services,
    SERVICES.map(({ name }) => name),
  );
  const ignoreFile = command.ignore ?? IGNORE_FILE;
  const ignoring = await ignoreListOf(ignoreFile, command.ignore !== undefined && command.accept === undefined);
  const sources = await readSources(command.files);
  const options = {
    modelOf,
    concurrent: command.concurrent,
    ...(services && { selects: (service: string) => services.includes(service) }),
  };
  const result = await (command.endpoint === undefined
    ? replayEmbedded(sources, options, command.trust)
    : replayAt(command.endpoint, sources, options));
  const left = result.differences.filter((difference) => !ignoringEntry(ignoring, difference));
  if (command.accept !== undefined) {
    await writeFile(ignoreFile, ignoreListText(withAccepted(ignoring, left, command.accept)));
    process.stderr.write(`emu: ${ignoreFile} lists the differences\n`);
  }
  const shown = command.accept === undefined ? left : [];
  const ignored = result.differences.length - shown.length;
  process.stdout.write(reportOf({ ...result, differences: shown, ignored }, report satisfies ReportFormat));
  const fails = shown.some(
    ({ class: kind }) => classes === undefined || classes.includes(kind satisfies DifferenceClass),
  );
  return fails ? 1 : 0;
}

type Options = Omit<ReplayOptions, 'target'>;

async function replayEmbedded(
  sources: readonly ReplaySource[],
  options: Options,
  trust: boolean,
): Promise<ReplayResult> {
  if (!trust) sealProcess();
  await using emulator = await createEmulator({ logLevel: 'error' });
  return await replay(sources, { ...options, target: embeddedTarget(emulator) });
}

async function replayAt(endpoint: string, sources: readonly ReplaySource[], options: Options): Promise<ReplayResult> {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Failure(`--endpoint must be a URL of HTTP, not "${endpoint}".`);
  const base = url.origin;
  await health(base);
  const setTime = async (time: number): Promise<void> => {
    await control(base, 'POST', '/_emulator/clock', { freeze: true });
    await control(base, 'POST', '/_emulator/clock', { set: new Date(time).toISOString() });
  };
  const target = httpTarget(url, setTime);
  try {
    return await replay(sources, { ...options, target });
  } finally {
    target.close();
    await control(base, 'POST', '/_emulator/clock', { reset: true });
  }
}

const modelOf: ReplayOptions['modelOf'] = async (service) =>
  (await SERVICES.find(({ name }) => name === service)?.load())?.model;

/** @throws Failure for a file that cannot be read, and for too many or too large recordings */
async function readSources(files: readonly string[]): Promise<ReplaySource[]> {
  const sources: ReplaySource[] = [];
  let bytes = 0;
  let requests = 0;
  for (const file of files) {
    try {
      bytes += (await stat(file)).size;
      if (bytes > MAX_BYTES)
        throw new Failure(`the recordings are larger than ${MAX_BYTES / 1024 / 1024} MB together.`);
      const lines: RecordedLine[] = [];
      for await (const line of (await openRecording(file)).lines) {
        lines.push(line);
        if (++requests > MAX_REQUESTS) throw new Failure(`the recordings have more than ${MAX_REQUESTS} requests.`);
      }
      sources.push({ file, lines });
    } catch (error) {
      if (error instanceof Failure) throw error;
      throw new Failure(`${file} cannot be replayed: ${(error as Error).message}.`);
    }
  }
  return sources;
}

async function ignoreListOf(file: string, required: boolean): Promise<IgnoreList> {
  if (!required && !existsSync(file)) return { ignored: [] };
  try {
    return parseIgnoreList(await readFile(file, 'utf8'));
  } catch (error) {
    throw new Failure(`${file} is no list of ignored differences: ${(error as Error).message}.`);
  }
}

function oneOf<Value extends string>(flag: string, text: string, values: readonly Value[]): Value {
  const found = values.find((value) => value === text);
  if (found === undefined) throw new Failure(`${flag} must be one of ${values.join(', ')}, not "${text}".`);
  return found;
}

/** Returns the values of a list, which are separated by commas; undefined without a list. */
function listOf<Value extends string>(
  flag: string,
  text: string | undefined,
  values: readonly Value[],
): Value[] | undefined {
  return text?.split(',').map((item) => oneOf(flag, item.trim(), values));
}
