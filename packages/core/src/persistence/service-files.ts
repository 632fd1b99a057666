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
/** Remains of a file that was being created at a crash. */
const UNFINISHED = /^(snapshot\.json|journal-\d+\.jsonl)\.tmp$/;

/** Returns the name of a journal in a service's directory. */
export const journalName = (number: number): string => `journal-${number}.jsonl`;

/** Returns the number of a journal by its file's name; 0 for any other file. */
export const journalNumber = (name: string): number => Number(JOURNAL.exec(name)?.[1] ?? 0);

/** Whether a file of a service's directory contains records. */
export const isStateFile = (name: string): boolean => name === SNAPSHOT || JOURNAL.test(name);

/** Returns the name of a file that a service's directory must contain by its manifest. */
export const expectedFile = ({ snapshot, journal }: ServiceMark): string =>
  snapshot === undefined && journal ? journalName(journal.number) : SNAPSHOT;

/** A journal that was read. */
export interface FoundJournal {
  number: number;
  path: string;
  /** Bytes up to the end of the last complete operation; the rest was being written at a crash. */
  size: number;
  /** Bytes in the file. */
  fileSize: number;
  /** Sequence number of the next record; undefined if not even the first line is intact. */
  sequence: number | undefined;
}

/** Content of a service's directory. */
export interface FoundState {
  snapshot: LoadedSnapshot | undefined;
  /** The journals that are not in the snapshot, in order. */
  journals: FoundJournal[];
  /** Names of obsolete files: incomplete ones, and journals in the snapshot. */
  leftovers: string[];
  /** Losses by a power failure, as a sentence; nothing of it was required to survive one. */
  loss: string | undefined;
}

/** Location and expected content of a service's state. */
export interface StatePlace {
  fileSystem: FileSystem;
  service: string;
  /** The service's directory. */
  directory: string;
  /** Its mark in the data directory's manifest. */
  mark: ServiceMark | undefined;
}

/**
 * Reads a service's snapshot and journals without changing them, and calls `load` with everything, in order.
 * @throws DamagedData for the first damaged or missing file
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

/** @throws DamagedData if the snapshot is older than the one in the manifest */
function checkSnapshot(path: string, snapshot: LoadedSnapshot | undefined, mark: ServiceMark | undefined): void {
  if (mark?.snapshot === undefined) return;
  if (!snapshot) throw new DamagedData(path, 'is missing');
  if (snapshot.journal < mark.snapshot)
    throw new DamagedData(
      path,
      `is older than the last one: it includes journal ${snapshot.journal} instead of ${mark.snapshot}`,
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
 * Compares the end of the journals with that in the manifest.
 * @returns losses by a power failure, as a sentence
 * @throws DamagedData if bytes that had reached the device are missing
 */
function checkLast({ directory, mark }: StatePlace, covered: number, last?: FoundJournal): string | undefined {
  const marked = mark?.journal;
  if (marked && marked.number > (last?.number ?? covered))
    throw new DamagedData(join(directory, journalName(marked.number)), 'is missing');
  if (!last) return undefined;
  if (marked?.number === last.number && last.size < marked.size) return shortened(last, marked);
  // A journal is renamed to its name with its first line written: the file system has lost the line.
  return last.sequence === undefined
    ? `${last.path} has not even its first line, as after a power cut without --sync; its changes are lost`
    : undefined;
}

/** @throws DamagedData if no power failure can be the cause */
function shortened({ path, size, sequence }: FoundJournal, marked: JournalMark): string {
  const lost = sequence === undefined ? 'its changes are' : `${marked.sequence - sequence} changes are`;
  const what = `ends at byte ${size}, but ${marked.size} bytes of it had been written`;
  if (marked.synced) throw new DamagedData(path, `${what} and synced: ${lost} missing`, size);
  return `${path} ${what}; as after a power cut without --sync ${lost} lost`;
}
