import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildPage, target } from '../page.mjs';

test('the page of the gateway is built from the current sources, and small', async () => {
  const text = readFileSync(target, 'utf8');
  expect(text, 'pnpm --filter @emu/console page').toBe(await buildPage());
  expect(text.length).toBeLessThan(200 * 1024);
});
