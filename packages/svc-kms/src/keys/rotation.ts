import type { KeyRecord, MaterialRecord } from '../records.ts';

/**
 * Makes another material the current one of a key.
 * @param next new material; undefined for an imported key, which uses its pending material, if any
 * @param rotation time and type of the rotation; `at` in epoch milliseconds
 */
export function rotateTo(
  draft: KeyRecord,
  next: MaterialRecord | undefined,
  rotation: NonNullable<MaterialRecord['rotation']>,
): void {
  if (next) {
    draft.materials.push({ ...next, rotation: { ...rotation } });
    return;
  }
  const pending = draft.materials.find(({ imported }) => imported?.pending);
  if (!pending) return;
  delete pending.imported!.pending;
  pending.rotation = { ...rotation };
}
