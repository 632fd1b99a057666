import { fileURLToPath } from 'node:url';
import { CreateQueueCommand, ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { manifest } from '@emu/svc-sqs/manifest';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { createEmulatorOf } from '../src/plugins.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Returns the modules loaded with some files: static imports, relative to the repository, and packages. */
async function loadedWith(...entryPoints: string[]): Promise<string[]> {
  const { metafile } = await build({
    entryPoints,
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    conditions: ['emu-source'],
    outdir: 'unused',
    write: false,
    metafile: true,
    plugins: [
      {
        name: 'packages of others',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
            path.startsWith('@emu/') || kind === 'entry-point' ? undefined : { path, external: true },
          ),
      },
    ],
  });
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const { path: next, kind } of metafile.inputs[path]?.imports ?? []) if (kind !== 'dynamic-import') visit(next);
  };
  for (const path of entryPoints) visit(path);
  return [...seen];
}

/** Files that manifests load: options, and the recognition of requests. */
const OF_MANIFESTS = /\/(?:recognition\/[\w-]+|manifest|options|backend|tolerations)\.ts$/;

describe('an emulator of one package', () => {
  test('has that service with its options', async () => {
    await using emu = await createEmulatorOf([manifest], { region: 'eu-west-1' });
    const sqs = new SQSClient(emu.clientConfig());
    await sqs.send(new CreateQueueCommand({ QueueName: 'jobs' }));
    const { QueueUrls } = await sqs.send(new ListQueuesCommand({}));
    expect(QueueUrls).toEqual(['http://localhost/123456789012/jobs']);
    expect((await emu.control.health()).services).toEqual(['sqs']);
    expect((await emu.control.sqs.messages()).messages).toEqual([]);
  });

  test('rejects unknown options', async () => {
    await expect(createEmulatorOf([manifest], { regoin: 'eu-west-1' } as object)).rejects.toThrow(
      'regoin is not an option of createEmulatorOf; did you mean region?',
    );
  });

  test('loads no test runner, container driver or other service', async () => {
    const loaded = await loadedWith('packages/emulator/src/plugins.ts', 'packages/svc-sqs/src/index.ts');
    expect(loaded).toContain('packages/svc-sqs/src/operations/queues.ts');
    expect(loaded).toContain('quick-lru');
    for (const name of ['vitest', 'dockerode', '@kubernetes/client-node', '@duckdb/node-api'])
      expect(loaded).not.toContain(name);
    const others = loaded.filter((path) => /^packages\/(svc-(?!sqs\/)|containers\/)/.test(path));
    expect(others.filter((path) => !OF_MANIFESTS.test(path))).toEqual([]);
  });
});
