import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sharedPath } from '../../testing/shared.ts';
import { causesIn, readKnown } from '../src/report.ts';
import { Harness, type Outcome } from '../src/run.ts';
import { readTemplates } from '../src/templates.ts';

const folder = sharedPath('sam-vectors/output');
const KNOWN = fileURLToPath(new URL('../known-causes.json', import.meta.url));
/** Templates that passed when the table of known causes was written. */
const PASSING = 322;
const TIMEOUT = 300_000;

/** Translations; the other files contain the errors of invalid templates. */
const translations = () => readTemplates(folder!).filter(({ text }) => 'Resources' in (JSON.parse(text) as object));

test.skipIf(folder === undefined)(
  "stacks of AWS's translated templates fail only for known causes",
  async () => {
    const known = readKnown(KNOWN);
    const outcomes: Outcome[] = [];
    await using harness = await Harness.open();
    for (const template of translations()) outcomes.push(await harness.run(template));
    const unknown = causesIn(outcomes, known).filter(({ reason }) => reason === undefined);
    expect(unknown).toEqual([]);
    expect(outcomes.filter(({ failed }) => failed === undefined).length).toBeGreaterThanOrEqual(PASSING);
  },
  TIMEOUT,
);
