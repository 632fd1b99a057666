import type { PassedRoles } from '@emu/core/service';
import type { ServiceModel } from '@emu/wire';
import { expect, test } from 'vitest';
import { createEmulator } from '../src/index.ts';

/** Whether a path of members leads to a string in a shape of a model. */
function leadsToText(model: ServiceModel, shapeName: string | undefined, path: readonly string[], depth = 0): boolean {
  const shape = shapeName === undefined ? undefined : model.shapes[shapeName];
  if (!shape || depth > 12) return false;
  if (shape.type === 'string') return path.length === 0;
  if (shape.type === 'list') return leadsToText(model, shape.member?.shape, path, depth + 1);
  if (shape.type === 'map') return leadsToText(model, shape.value?.shape, path.slice(1), depth + 1);
  const [name, ...rest] = path;
  return Object.entries(shape.members ?? {}).some(([member, { shape: target }]) =>
    name === '**'
      ? (member === rest[0] && leadsToText(model, target, rest.slice(1), depth + 1)) ||
        leadsToText(model, target, path, depth + 1)
      : (member === name || name === '*') && leadsToText(model, target, rest, depth + 1),
  );
}

test('roles declared by services are input members', async () => {
  await using emulator = await createEmulator();
  const wrong: string[] = [];
  let count = 0;
  for (const { name } of emulator.kernel.manifests) {
    const { plugin } = await emulator.kernel.service(name);
    const roles = (plugin.authorization?.roles ?? {}) as Readonly<Record<string, PassedRoles<unknown>>>;
    for (const [operation, members] of Object.entries(roles))
      for (const path of Object.keys(members)) {
        count += 1;
        const input = plugin.model.operations[operation]?.input;
        const shape = typeof input === 'string' ? input : (input as { shape?: string } | undefined)?.shape;
        if (!leadsToText(plugin.model, shape, path.split('.'))) wrong.push(`${name} ${operation} ${path}`);
      }
  }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(40);
});
