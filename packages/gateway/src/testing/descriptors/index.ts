import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoadedService } from '@emu/core';
import { copyDataDirectory } from '@emu/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestEmulator, manifestOf, type TestEmulator } from '../emulator.ts';
import * as cases from './cases.ts';
import { Place } from './place.ts';
import type { DescriptorTests } from './tested.ts';

export type { DescriptorCase, DescriptorTests, MadeIds } from './tested.ts';

/**
 * Declares the tests of a service's descriptors. Each breaks one rule and expects the declared error and unchanged
 * state: unknown and malformed ids, owners and references, duplicates, deletions of records in use. Others test
 * filters, pages, states, tags and dry runs; the last one expects every record after a crash.
 */
export function describeDescriptors(tests: DescriptorTests): void {
  const { plugin, manifest = manifestOf(plugin), services = [], resources } = tests;
  const { name } = plugin;
  const options = { ...tests.options, manifests: [manifest, ...services] };
  let emulator: TestEmulator;
  let service: LoadedService;
  const place = async (last?: string): Promise<Place> => {
    const one = new Place(emulator, service, tests);
    if (last !== undefined) await one.prepare(last);
    return one;
  };
  const subjects = Object.entries(resources).map(([name, one]): cases.Subject => ({ ...one, name, tests, place }));

  describe(`descriptors of ${name}`, () => {
    beforeAll(async () => {
      emulator = await createTestEmulator(options);
      service = await emulator.kernel.service(name);
    });
    afterAll(() => emulator.close());

    for (const subject of subjects)
      describe(subject.name, () => {
        cases.livesAndEnds(subject);
        cases.refusesUnknownIds(subject);
        cases.refusesUnknownOwners(subject);
        cases.refusesUnknownReferences(subject);
        cases.refusesInvalid(subject);
        cases.refusesDuplicates(subject);
        for (const other of subjects) {
          cases.heedsReferrers(subject, other);
          cases.takesPartsAlong(subject, other);
        }
        cases.filters(subject);
        cases.paginates(subject);
        cases.passesStates(subject);
        cases.storesTags(subject);
        cases.runsDry(subject);
      });

    it('keeps every record after a crash', async () => {
      const [dataPath, copy] = await Promise.all([directory(), directory()]);
      try {
        await using first = await createTestEmulator({ ...options, dataPath });
        const here = new Place(first, await first.kernel.service(name), tests);
        await here.prepare(undefined);
        await copyDataDirectory(dataPath, copy);
        await using second = await createTestEmulator({ ...options, dataPath: copy });
        const there = new Place(second, await second.kernel.service(name), tests, here.accountId);
        expect(there.everything()).toEqual(JSON.parse(JSON.stringify(here.everything())));
      } finally {
        for (const path of [dataPath, copy]) await rm(path, { recursive: true, force: true });
      }
    });
  });
}

const directory = (): Promise<string> => mkdtemp(join(tmpdir(), 'emu-descriptors-'));
