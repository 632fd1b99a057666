import { join } from 'node:path';
import { DamagedData } from '../storage/damage.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { readJournal } from './journal-reader.ts';
import type { JournalMark, ServiceMark } from './manifest.ts';
import type { Change } from './persistence.ts';
import { type LoadedSnapshot, readSnapshot } from './snapshot.ts';

/** Name of the snapshot in a service's directory. */
export const SNAPSHOT = 'snapshot.json';
const JOURNAL = /^journal-(\d+)\.jsonl$/;
/** What a process that died while it made a file has left. */
const UNFINISHED = /^(snapshot\.json|journal-\d+\.jsonl)\.tmp$/;

/** Name of a journal in a service's directory. */
export const journalName = (number: number): string => `journal-${number}.jsonl`;

/** Number of a journal by its file's name; 0 for any other file. */
export const journalNumber = (name: string): number => Number(JOURNAL.exec(name)?.[1] ?? 0);

/** Whether a file of a service's directory holds records of it. */
export const isStateFile = (name: string): boolean => name === SNAPSHOT || JOURNAL.test(name);

/** Name of a file that has to be there where a service's directory is as a manifest says. */
export const expectedFile = ({ snapshot, journal }: ServiceMark): string =>
  snapshot === undefined && journal ? journalName(journal.number) : SNAPSHOT;

/** A journal that was read. */
export interface FoundJournal {
  number: number;
  path: string;
  /** Bytes up to the end of the last whole operation; what follows was being written when the process died. */
  size: number;
  /** Bytes in the file. */
  fileSize: number;
  /** Sequence number of the next record; undefined where not even the first line is whole. */
  sequence: number | undefined;
}

/** What a service's directory holds. */
export interface FoundState {
  snapshot: LoadedSnapshot | undefined;
  /** The journals that the snapshot does not take in, in order. */
  journals: FoundJournal[];
  /** Names of files that nothing needs any more: unfinished ones, and journals that the snapshot takes in. */
  leftovers: string[];
  /** What a power cut has taken, as a sentence; nothing of it had to survive one. */
  loss: string | undefined;
}

/** Where a service's state is, and what has to be there. */
export interface StatePlace {
  fileSystem: FileSystem;
  service: string;
  /** The service's directory. */
  directory: string;
  /** What the data directory's manifest says of it. */
  mark: ServiceMark | undefined;
}

/**
 * Reads a service's snapshot and journals without changing them, and hands everything to `load`, in order.
 * @throws DamagedData for the first file that is not what was written, or that is gone
 */
export async function readState(place: StatePlace, load: (change: Change) => void): Promise<FoundState> {
  const { fileSystem, service, directory, mark } = place;
  const snapshotPath = join(directory, SNAPSHOT);
  const snapshot = await readSnapshot(fileSystem, snapshotPath, service, load);
  checkSnapshot(snapshotPath, snapshot, mark);
  const covered = snapshot?.journal ?? 0;
  const numbers: number[] = [];
  const leftovers: string[] = [];
  for (const name of await fileSystem.list(directory)) {
    const number = journalNumber(name);
    if (number > covered) numbers.push(number);
    else if (number || UNFINISHED.test(name)) leftovers.push(name);
  }
  numbers.sort((a, b) => a - b);
  const journals = await readJournals(place, covered, numbers, load);
  const loss = checkLast(place, covered, journals.at(-1));
  return { snapshot, journals, leftovers, loss };
}

/** @throws DamagedData where the snapshot is not the one that the manifest names, or a later one */
function checkSnapshot(path: string, snapshot: LoadedSnapshot | undefined, mark: ServiceMark | undefined): void {
  if (mark?.snapshot === undefined) return;
  if (!snapshot) throw new DamagedData(path, 'is missing');
  if (snapshot.journal < mark.snapshot)
    throw new DamagedData(
      path,
      `is older than the one that was there: it takes in journal ${snapshot.journal} instead of ${mark.snapshot}`,
    );
}

async function readJournals(
  { fileSystem, service, directory }: StatePlace,
  covered: number,
  numbers: readonly number[],
  load: (change: Change) => void,
): Promise<FoundJournal[]> {
  const journals: FoundJournal[] = [];
  let before: { path: string; size: number; sequence: number } | undefined;
  for (const [index, number] of numbers.entries()) {
    const expected = covered + index + 1;
    if (number !== expected) throw new DamagedData(join(directory, journalName(expected)), 'is missing');
    const path = join(directory, journalName(number));
    const last = index === numbers.length - 1;
    const file = await fileSystem.open(path, 'r');
    try {
      const extent = await readJournal(file, { path, service, number, before, last }, load);
      journals.push({ number, path, ...extent });
      if (extent.sequence !== undefined) before = { path, size: extent.size, sequence: extent.sequence };
    } finally {
      await file.close();
    }
  }
  return journals;
}

/**
 * Compares where the journals end with where they ended before.
 * @returns what is lost without blame, as a sentence
 * @throws DamagedData where less is left than had reached the device
 */
function checkLast({ directory, mark }: StatePlace, covered: number, last?: FoundJournal): string | undefined {
  const marked = mark?.journal;
  if (marked && marked.number > (last?.number ?? covered))
    throw new DamagedData(join(directory, journalName(marked.number)), 'is missing');
  if (!last) return undefined;
  if (marked?.number === last.number && last.size < marked.size) return shortened(last, marked);
  // A journal gets its name with its first line in it: it was there, and the file system has lost it.
  return last.sequence === undefined
    ? `${last.path} has not even its first line, as after a power cut without --sync; its changes are lost`
    : undefined;
}

/** @throws DamagedData where no power cut can have done it */
function shortened({ path, size, sequence }: FoundJournal, marked: JournalMark): string {
  const lost = sequence === undefined ? 'its changes are' : `${marked.sequence - sequence} changes are`;
  const what = `ends at byte ${size}, but ${marked.size} bytes of it had been written`;
  if (marked.synced) throw new DamagedData(path, `${what} and synced: ${lost} missing`, size);
  return `${path} ${what}; as after a power cut without --sync ${lost} lost`;
}
