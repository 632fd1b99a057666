import type { DataPlace } from '@emu/core/service';
import { readSegment } from './inspection.ts';
import { type Manifest, writeManifest } from './manifest.ts';
import { FileMedium, type Medium } from './medium.ts';
import type { Groups, Segment, SegmentFile, SegmentMark } from './segment.ts';

/**
 * Copies the segments of groups to another directory, where a store can open them.
 * @param accounts undefined for all accounts
 */
export async function saveGroups(
  held: Groups,
  place: DataPlace,
  accounts: readonly string[] | undefined,
): Promise<void> {
  const groups: Manifest['groups'] = {};
  let nextSegment = 1;
  await place.fileSystem.makeDirectory(place.directory);
  for (const [key, segments] of held) {
    if (accounts && !accounts.includes(key.split('/')[0]!)) continue;
    groups[key] = [];
    for (const { file, sealed: _sealed, ...mark } of segments) {
      const copy = new FileMedium(place.fileSystem, place.directory, mark.id, true);
      groups[key].push({ ...mark, checksum: await copySegment(file.medium, copy, mark) });
      nextSegment = Math.max(nextSegment, mark.id + 1);
    }
  }
  await writeManifest(place, { nextSegment, groups });
}

/**
 * Copies segments from another directory.
 * @param chosen committed segments there, by group key
 * @param makeFile creates the file of a copy, by the id of the original
 * @param taken receives the copies, each retained, even if a later copy fails
 * @throws DamagedData for a segment that differs from what was committed
 */
export async function copyGroups(
  chosen: readonly (readonly [string, readonly SegmentMark[]])[],
  place: DataPlace,
  makeFile: (id: number) => SegmentFile,
  taken: Groups,
): Promise<void> {
  for (const [key, marks] of chosen) {
    const segments: Segment[] = [];
    taken.set(key, segments);
    for (const mark of marks) {
      const file = makeFile(mark.id);
      file.retain();
      segments.push({ ...mark, id: file.id, file });
      const source = new FileMedium(place.fileSystem, place.directory, mark.id, false);
      await copySegment(source, file.medium, mark);
    }
  }
}

/**
 * Copies the committed bytes of a segment.
 * @returns their checksum
 * @throws DamagedData if they are damaged
 */
async function copySegment(from: Medium, to: Medium, mark: SegmentMark): Promise<number> {
  const checksum = await readSegment(from, mark, (piece, position) => to.append(piece, position));
  await to.sync();
  await to.rest();
  return checksum;
}
