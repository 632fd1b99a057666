import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as sdk from '@aws-sdk/client-api-gateway';
import { createTestEmulator, differences, type Json, type TestEmulator, told } from '@emu/gateway/testing';
import { describe, expect, it } from 'vitest';
import { manifest } from '../src/manifest.ts';
import type { Api } from './support.ts';

/** Folder of answers recorded of AWS; where it is absent nothing is compared. */
const root = join(process.env.EMULATOR_AWS_RECORDINGS ?? '/nonexistent', 'apigateway');
export const hasRecordings = existsSync(root);

/** The account whose answers are recorded. */
export const ACCOUNT = '111111111111';

/** An emulator of the account whose answers are recorded, and a client that sends what AWS refuses as it is. */
export async function startRecorded(): Promise<{ emulator: TestEmulator; api: sdk.APIGateway & Api }> {
  const emulator = await createTestEmulator({ manifests: [manifest], settings: { accountId: ACCOUNT } });
  return { emulator, api: new sdk.APIGateway(emulator.clientConfig()) as sdk.APIGateway & Api };
}

/** Operations of a JSON Patch. */
export type Patch = sdk.PatchOperation[];

/** A patch of one operation, which AWS may not know. */
export const patch = (op: string, path: string, value?: string): Patch => [
  { op: op as sdk.Op, path, ...(value !== undefined && { value }) },
];

type Answers = Readonly<Record<string, Json>>;

/** The recorded answers of a test, by the names of their steps. @param test end of the test's name */
export function recordedAnswers(test: string): Answers {
  for (const file of readdirSync(root)) {
    const all = JSON.parse(readFileSync(join(root, file), 'utf8')) as Record<string, { 'recorded-content': Answers }>;
    for (const [name, one] of Object.entries(all)) if (name.endsWith(`::${test}`)) return one['recorded-content'];
  }
  throw new Error(`no recording of ${test}`);
}

/** What a program does with the answer to a step. */
export type Step = <Output extends object>(name: string, running: Promise<Output>) => Promise<Output>;
/** The requests of recorded tests, in our own words, by the names of the tests. */
export type Programs = Readonly<Record<string, (step: Step) => Promise<unknown>>>;

/** Compares each answer that the programs get with the recorded one, as a whole. */
export function describeRecorded(programs: Programs): void {
  if (!hasRecordings) console.info('no answers are compared: EMULATOR_AWS_RECORDINGS names no folder that has them');
  describe.skipIf(!hasRecordings)('answers as recorded of AWS', () => {
    it.each(Object.keys(programs))('%s', async (test) => {
      const recorded = recordedAnswers(test);
      const known = new Map<string, string>();
      const found: string[] = [];
      const step: Step = async (name, running) => {
        const ours = await told(running);
        if (recorded[name] === undefined) throw new Error(`the recording has no step ${name}`);
        found.push(...differences(recorded[name], ours, known, name));
        return running.catch(() => ({}) as never);
      };
      await programs[test]!(step);
      expect(found).toEqual([]);
    });
  });
}
