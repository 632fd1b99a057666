import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeService, firstOperation } from '../src/description.ts';
import { format } from '../src/format.ts';
import { registrationsOf } from '../src/registration.ts';
import { filesOf, type NewService } from '../src/templates.ts';

const root = join(import.meta.dirname, '../../..');
const service: NewService = {
  name: 'pictures',
  botocore: 'pictures/2026-01-01',
  fullName: 'Amazon Pictures',
  serviceId: 'My Pictures',
  signingName: 'pics',
  endpointPrefix: 'pics',
  targetPrefix: 'Pictures_20260101',
  queryVersion: undefined,
  operations: ['CreatePicture', 'DescribePictures', 'ListPictures'],
  client: '@aws-sdk/client-my-pictures',
  labelled: [],
  first: 'ListPictures',
};

describe('a new service', () => {
  const files = filesOf(service);

  it('has every required file', () => {
    expect(Object.keys(files)).toEqual([
      'packages/svc-pictures/package.json',
      'packages/svc-pictures/absent-operations.json',
      'packages/svc-pictures/src/manifest.ts',
      'packages/svc-pictures/src/index.ts',
      'packages/svc-pictures/src/context.ts',
      'packages/svc-pictures/src/records.ts',
      'packages/svc-pictures/src/resources.ts',
      'packages/svc-pictures/src/state.ts',
      'packages/svc-pictures/test/pictures.test.ts',
      'tools/conformance/src/scenarios/pictures.ts',
      'tools/conformance/test/services/pictures.test.ts',
      'docs/services/pictures.md',
    ]);
    const { name, exports: entries, emu } = JSON.parse(files['packages/svc-pictures/package.json']!);
    expect({ name, entries: Object.keys(entries), emu }).toEqual({
      name: '@emu/svc-pictures',
      entries: ['.', './manifest'],
      emu: { models: [{ service: 'pictures', botocore: 'pictures/2026-01-01' }] },
    });
    expect(files['packages/svc-pictures/src/index.ts']).toContain("from '@emu/service-types/pictures'");
    expect(files['packages/svc-pictures/src/manifest.ts']).toContain("targetPrefixes: ['Pictures_20260101']");
  });

  it.each([
    ['My Pictures', 'MyPicturesClient'],
    ['rbin', 'RbinClient'],
    ['S3', 'S3Client'],
  ])('uses the client of the service id %s', (serviceId, client) => {
    expect(filesOf({ ...service, serviceId })['packages/svc-pictures/test/pictures.test.ts']).toContain(
      `new ${client}(`,
    );
  });

  it.each(['rbin', 'pictures'])('passes lint for the name %s', (name) => {
    // Biome checks only files of the repository.
    const folder = mkdtempSync(join(import.meta.dirname, '.generated-'));
    try {
      const paths = Object.entries(filesOf({ ...service, name, serviceId: name })).flatMap(([path, text]) => {
        const target = join(folder, path);
        mkdirSync(dirname(target), { recursive: true });
        writeFileSync(target, text);
        return path.endsWith('.md') ? [] : [target];
      });
      format(root, paths);
      const test = readFileSync(join(folder, `packages/svc-${name}/test/${name}.test.ts`), 'utf8');
      const names = ['ListPicturesCommand', name === 'rbin' ? 'RbinClient' : 'PicturesClient'];
      expect(test).toContain(`import { ${names.join(', ')} } from`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('names a missing folder of botocore', () => {
    expect(() => describeService('no-such-service')).toThrow(/^(botocore has no service no-such-service|python3 with)/);
  });

  it('is added to every list, in order, without other changes', () => {
    const registrations = registrationsOf(service);
    for (const { path, change } of registrations) {
      const before = readFileSync(join(root, path), 'utf8');
      const after = change(before).split('\n');
      const added = after.filter((line) => line.includes('pictures'));
      expect(added.length, path).toBeGreaterThan(0);
      const kept = new Set(after);
      for (const line of before.split('\n'))
        expect(kept.has(line) || kept.has(`${line},`), `${path}: ${line}`).toBe(true);
    }
    const list = registrations[0]!.change(readFileSync(join(root, registrations[0]!.path), 'utf8'));
    expect(list.indexOf('  lambda,')).toBeLessThan(list.indexOf('  pictures,'));
    expect(list.indexOf('  pictures,')).toBeLessThan(list.indexOf('  s3,'));
  });

  it('starts with a reading operation', () => {
    expect(firstOperation(service)).toBe('ListPictures');
    expect(firstOperation({ ...service, operations: ['CreatePicture', 'DescribePictures'] })).toBe('DescribePictures');
    expect(firstOperation({ ...service, operations: ['CreatePicture'] })).toBe('CreatePicture');
    expect(firstOperation({ ...service, labelled: ['ListPictures'] })).toBe('DescribePictures');
  });
});
