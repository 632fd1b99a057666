import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICES } from '@emu/emulator';
import { describe, expect, it } from 'vitest';
import { SCENARIOS } from '../src/index.ts';

const PAGES = 'docs/services';
/** Sections of a service's page, in order. */
const SECTIONS = [
  'Example',
  'What works',
  'What differs from AWS',
  'What answers 501',
  'Settings',
  'Control routes',
  'CloudFormation',
];

const root = join(import.meta.dirname, '../../..');
const textOf = (path: string): string => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '');

/** Returns the directory of the package with a service's model. A package may have two services. */
function folderOf(service: string): string {
  const folder = readdirSync(join(root, 'packages')).find((name) => {
    const { emu } = JSON.parse(textOf(`packages/${name}/package.json`) || '{}') as {
      emu?: { models?: { service: string }[] };
    };
    return emu?.models?.some((model) => model.service === service);
  });
  return `packages/${folder}`;
}

describe.each(SERVICES.map((manifest) => [manifest.name, manifest] as const))('the service %s', (name, manifest) => {
  it('has a manifest that recognizes requests', () => {
    expect([...manifest.signingNames, ...manifest.hostNames]).not.toEqual([]);
    expect(textOf(`${folderOf(name)}/src/manifest.ts`)).toContain(`name: '${name}'`);
  });

  it('runs the contract test, or the test of a new service if it has no handlers', async () => {
    const { operations, stateOf } = await manifest.load();
    if (Object.keys(operations).length === 0) {
      expect(textOf(`${folderOf(name)}/test/${name}.test.ts`)).toMatch(/answers 501/);
      return;
    }
    // A service on another's state uses that service's contract.
    const folder = folderOf(stateOf ?? name);
    // A contract with further services is in the integration tests.
    const shared = folder.replace('packages/svc-', 'integration/test/');
    const text = textOf(`${folder}/test/contract.test.ts`) || textOf(`${shared}/contract.test.ts`);
    expect(text).toMatch(/\bdescribeServiceContract[<(]/);
  });

  it('has a conformance scenario that the tests run', () => {
    expect(Object.keys(SCENARIOS)).toContain(name);
    const scenario = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    expect(textOf(`tools/conformance/test/services/${name}.test.ts`)).toContain(`describeConformance(${scenario})`);
  });

  it('has a page in docs/services', () => {
    const page = textOf(`${PAGES}/${name}.md`);
    const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(SECTIONS);
    expect(page.split('\n## What works\n')[1]?.split('\n## ')[0]).toMatch(/.{20,}/);
    expect(page.split('\n## Example\n')[1]?.split('\n## ')[0]).toMatch(/^```(ts|sh)$/m);
  });
});
