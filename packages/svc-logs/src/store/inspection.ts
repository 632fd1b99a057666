import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { DamagedData, type DataFindings, type DataPlace, type DataRepair } from '@emu/core/service';
import { MANIFEST, readManifest, writeManifest } from './manifest.ts';
import { FileMedium, type Medium, segmentIdOf, segmentName } from './medium.ts';
import type { SegmentMark } from './segment.ts';

/** Number of segment bytes read at once. */
const PIECE = 1024 * 1024;

/** Directory of segments without a manifest. */
const ORPHANS = 'orphans';

/**
 * Segments without a manifest.
 * @returns their names
 * @throws DamagedData if a manifest existed before and is lost
 */
async function unclaimed({ fileSystem, directory, expected }: DataPlace): Promise<string[]> {
  if (expected) throw new DamagedData(join(directory, MANIFEST), 'is missing');
  return (await fileSystem.list(directory)).filter((name) => segmentIdOf(name) !== undefined);
}

/**
 * Moves segments of a directory without a manifest aside: an earlier version wrote its first segment before the
 * manifest and ended in between. Nothing in them was acknowledged, and their groups are unknown.
 * @throws DamagedData if a manifest existed before
 */
export async function keepUnclaimed(place: DataPlace): Promise<void> {
  const names = await unclaimed(place);
  if (names.length === 0) return;
  const { fileSystem, directory, log } = place;
  const orphans = join(directory, ORPHANS);
  await fileSystem.makeDirectory(orphans);
  for (const name of names) await fileSystem.rename(join(directory, name), join(orphans, name));
  await fileSystem.syncDirectory(directory);
  log.warn(`${names.join(', ')} of log events that were never committed moved to ${orphans}`);
}

/**
 * Checks the file size of a segment against its committed length.
 * @throws DamagedData if it is shorter
 */
export async function requireSize({ fileSystem, directory }: DataPlace, { id, bytes }: SegmentMark): Promise<void> {
  const path = join(directory, segmentName(id));
  const size = (await fileSystem.status(path).catch(() => undefined))?.size;
  if (size === undefined) throw new DamagedData(path, 'is missing');
  if (size < bytes) throw new DamagedData(path, `has ${size} bytes of ${bytes} that were committed`);
}

/** Returns the problem with a segment's bytes as the end of a sentence; undefined if they match the commit. */
export function damageOf(mark: SegmentMark, read: { bytes: number; checksum: number }): string | undefined {
  if (read.bytes < mark.bytes) return `has ${read.bytes} bytes of ${mark.bytes} that were committed`;
  return mark.checksum !== undefined && mark.checksum !== read.checksum
    ? 'does not hold what was committed'
    : undefined;
}

/**
 * Reads the committed bytes of a segment.
 * @param take receives each piece with its offset in the segment
 * @returns their checksum
 * @throws DamagedData if they differ from the commit
 */
export async function readSegment(
  medium: Medium,
  mark: SegmentMark,
  take: (piece: Buffer, position: number) => Promise<void> = async () => undefined,
): Promise<number> {
  let checksum = 0;
  let bytes = 0;
  while (bytes < mark.bytes) {
    const piece = await medium.read(bytes, Math.min(mark.bytes, bytes + PIECE));
    if (piece.length === 0) break;
    await take(piece, bytes);
    checksum = crc32(piece, checksum);
    bytes += piece.length;
  }
  const damage = damageOf(mark, { bytes, checksum });
  if (damage !== undefined) throw new DamagedData(medium.path ?? 'a segment in memory', damage);
  return checksum;
}

/** Verifies the checksum of all committed events, and reports losses; with `repair`, moves damaged segments aside. */
export async function inspectEvents(place: DataPlace, repair?: DataRepair): Promise<DataFindings> {
  const { fileSystem, directory } = place;
  const damage: string[] = [];
  try {
    const manifest = await readManifest(place);
    if (!manifest) await unclaimed(place);
    let stops = false;
    for (const [key, marks] of Object.entries(manifest?.groups ?? {})) {
      const whole: SegmentMark[] = [];
      for (const mark of marks) {
        try {
          await requireSize(place, mark).catch((error: unknown) => {
            stops = true;
            throw error;
          });
          await readSegment(new FileMedium(fileSystem, directory, mark.id, false), mark);
          whole.push(mark);
        } catch (error) {
          damage.push(messageOf(error) + (repair ? `; its ${mark.events} log events were set aside` : ''));
          if (repair) await move(place, segmentName(mark.id), repair);
        }
      }
      manifest!.groups[key] = whole;
    }
    if (repair && damage.length) await writeManifest(place, manifest!);
    return { damage, stops };
  } catch (error) {
    damage.push(messageOf(error) + (repair ? '; all log events were set aside' : ''));
    // Without it, the groups and lengths of segments are unknown.
    for (const name of await fileSystem.list(directory))
      if (repair && (name === MANIFEST || segmentIdOf(name) !== undefined)) await move(place, name, repair);
    return { damage, stops: true };
  }
}

async function move({ fileSystem, directory }: DataPlace, name: string, repair: DataRepair): Promise<void> {
  if ((await fileSystem.list(directory)).includes(name)) await repair.setAside(join(directory, name));
}

/** @throws errors other than damage */
function messageOf(error: unknown): string {
  if (error instanceof DamagedData) return error.message;
  throw error;
}
