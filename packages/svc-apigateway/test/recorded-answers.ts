import * as sdk from '@aws-sdk/client-api-gateway';
import { createTestEmulator, differences, type Json, type TestEmulator, told } from '@emu/gateway/testing';
import { describe, expect, it } from 'vitest';
import { recordedTests } from '../../../tools/testing/shared.ts';
import { manifest } from '../src/manifest.ts';
import type { Api } from './support.ts';

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

const recordings = recordedTests<Answers>(['apigateway']);
/** Whether the recordings are on this machine. */
export const hasRecordings = recordings.size > 0;

/** Returns the recorded answers of a test, by the names of their steps. @param test end of the test's name */
export function recordedAnswers(test: string): Answers {
  const answers = recordings.get(test);
  if (!answers) throw new Error(`no recording of ${test}`);
  return answers;
}

/** What a program does with the answer to a step. */
export type Step = <Output extends object>(name: string, running: Promise<Output>) => Promise<Output>;
/** The requests of recorded tests, in our own words, by the names of the tests. */
export type Programs = Readonly<Record<string, (step: Step) => Promise<unknown>>>;

/** Compares each answer that the programs get with the recorded one, as a whole. */
export function describeRecorded(programs: Programs): void {
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
