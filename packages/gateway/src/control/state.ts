import type { Kernel, StateSelection } from '@emu/core';
import { ControlError } from '@emu/core/service';
import { type Route, route } from './route.ts';

/** Returns a list of names in a query. */
const listOf = (text: string | null): readonly string[] | undefined =>
  text === null
    ? undefined
    : text
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean);

const selectionOf = (query: { get(name: 'services' | 'accounts'): string | null }): StateSelection => ({
  services: listOf(query.get('services')),
  accounts: listOf(query.get('accounts')),
});

/**
 * `/_emulator/state`: the state of the emulator, or a part of it, as one file. It contains secrets in clear text, for
 * clients that may use control routes.
 */
export function stateRoutes(kernel: Kernel): Route[] {
  return [
    {
      ...route('GET /_emulator/state', async ({ query }) => ({
        contentType: 'application/gzip',
        body: await kernel.saveState(selectionOf(query)),
      })),
      changesNothing: true,
    },
    {
      ...route('POST /_emulator/state', async ({ query, body }) => {
        const mode = query.get('mode') ?? 'replace';
        if (mode !== 'replace' && mode !== 'merge')
          throw new ControlError(400, 'InvalidParameter', `mode is replace or merge, not ${mode}.`);
        const { records, takenAt } = await kernel.loadState(body as AsyncIterable<Uint8Array>, {
          ...selectionOf(query),
          mode,
        });
        return { json: { loaded: records, takenAt: new Date(takenAt).toISOString() } };
      }),
      takesBytes: true,
    },
  ];
}
