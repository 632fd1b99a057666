import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { DamagedData, type DataPlace, readText, replaceText } from '@emu/core/service';
import type { SegmentMark } from './segment.ts';

/** File name of the manifest in the service's directory. */
export const MANIFEST = 'manifest.json';
/** File name of a manifest being written. */
export const UNFINISHED_MANIFEST = `${MANIFEST}.tmp`;
const FORMAT = 1;

/** Committed segments of all log groups, by group key. */
export interface Manifest {
  /** Id of the next segment; ids are never reused. */
  nextSegment: number;
  groups: Record<string, SegmentMark[]>;
}

/**
 * Reads the manifest.
 * @returns undefined if it is missing
 * @throws DamagedData if it is damaged
 */
export async function readManifest({ fileSystem, directory }: DataPlace): Promise<Manifest | undefined> {
  const path = join(directory, MANIFEST);
  const text = await readText(fileSystem, path);
  if (text === undefined) return undefined;
  let content: Partial<Manifest> & { format?: number; checksum?: string };
  try {
    content = JSON.parse(text) as typeof content;
  } catch (cause) {
    throw new DamagedData(path, 'is no valid JSON', undefined, { cause });
  }
  const { format, checksum, nextSegment, groups } = content;
  if (format !== FORMAT || nextSegment === undefined || groups === undefined)
    throw new DamagedData(path, `is no manifest of format ${FORMAT}`);
  const manifest: Manifest = { nextSegment, groups };
  if (encode(manifest, checksum !== undefined) !== text)
    throw new DamagedData(path, 'is damaged: its checksum does not match');
  return manifest;
}

/** @param checked whether the text has a checksum; earlier versions wrote none */
function encode({ nextSegment, groups }: Manifest, checked: boolean): string {
  const content = JSON.stringify({ nextSegment, groups });
  const checksum = checked ? `"checksum":"${crc32(content).toString(16).padStart(8, '0')}",` : '';
  return `{"format":${FORMAT},${checksum}${content.slice(1)}`;
}

/** Replaces the manifest atomically. */
export async function writeManifest({ fileSystem, directory }: DataPlace, manifest: Manifest): Promise<void> {
  await replaceText(fileSystem, join(directory, MANIFEST), encode(manifest, true));
  await fileSystem.syncDirectory(directory);
}
