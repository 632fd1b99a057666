import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@emu/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningTest, startRunning } from './running.ts';
import { failureOf } from './support.ts';

const PYTHON = { Runtime: 'python3.12', Handler: 'index.handler', Timeout: 10 } as const;
const SNAP_START = { ...PYTHON, SnapStart: { ApplyOn: 'PublishedVersions' } } as const;

/** Counts initializations and hooks in the memory of its process. */
const HOOKS = `
import os
from snapshot_restore_py import register_after_restore, register_before_snapshot

seen = ["init"]

@register_before_snapshot
def first_before():
    seen.append("before 1")

@register_after_restore
def first_after():
    seen.append("after 1")

register_before_snapshot(seen.append, "before 2")
register_after_restore(seen.append, "after 2")

def handler(event, context):
    seen.append("run")
    return {
        "seen": seen,
        "type": os.environ["AWS_LAMBDA_INITIALIZATION_TYPE"],
        "stream": context.log_stream_name,
        "process": os.getpid(),
    }
`;
const RESTORED = ['init', 'before 2', 'before 1', 'after 1', 'after 2', 'run'];

function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    console.log('skipped: SnapStart of functions in Python, for there is no python3 on PATH');
    return false;
  }
}

let test: RunningTest;
beforeAll(async () => {
  test = await startRunning({ log: createLogger({ level: 'error', format: 'text' }) });
});
afterAll(() => test[Symbol.asyncDispose]());

/** Returns what a function and Lambda logged, without the tail of an invocation. */
async function logOf(name: string): Promise<string> {
  const { json } = await test.emulator.control('GET', `/_emulator/lambda/logs?function_name=${name}`);
  return (json as { lines: { message: string }[] }).lines.map(({ message }) => message).join('\n');
}

describe.skipIf(!hasPython())('SnapStart', () => {
  it('initializes a version when it is published, and restores its environments', async () => {
    const name = await test.define({ 'index.py': HOOKS }, SNAP_START);
    const latest = await test.lambda.getFunctionConfiguration({ FunctionName: name });
    // https://docs.aws.amazon.com/lambda/latest/dg/snapstart-activate.html
    expect(latest.SnapStart).toEqual({ ApplyOn: 'PublishedVersions', OptimizationStatus: 'Off' });
    expect(await test.invoke(name)).toMatchObject({ payload: { seen: ['init', 'run'], type: 'on-demand' } });
    const published = await test.lambda.publishVersion({ FunctionName: name });
    expect(published).toMatchObject({
      State: 'Pending',
      StateReasonCode: 'Creating',
      SnapStart: { ApplyOn: 'PublishedVersions', OptimizationStatus: 'On' },
    });
    const described = { FunctionName: name, Qualifier: '1' };
    expect(await test.lambda.getFunctionConfiguration(described)).toMatchObject({
      State: 'Active',
      SnapStart: { OptimizationStatus: 'On' },
    });
    const log = await logOf(name);
    expect(log).toMatch(/INIT_REPORT Init Duration: [\d.]+ ms$/m);
    expect(log).not.toContain('RESTORE_START');
    const first = await test.invoke(name, {}, { Qualifier: '1' });
    expect(first).toMatchObject({ payload: { seen: RESTORED, type: 'snap-start', stream: null } });
    // https://docs.aws.amazon.com/lambda/latest/dg/snapstart-monitoring.html
    expect(first.log).toMatch(
      /^REPORT RequestId: .*\tMax Memory Used: \d+ MB\tRestore Duration: [\d.]+ ms\tBilled Restore Duration: \d+ ms\t/m,
    );
    expect(first.log).not.toContain('Init Duration');
    expect(await logOf(name)).toMatch(
      /RESTORE_START Runtime Version: .*\n.*RESTORE_REPORT Restore Duration: [\d.]+ ms$/m,
    );
    const warm = await test.invoke(name, {}, { Qualifier: '1' });
    expect(warm.payload).toMatchObject({ seen: [...RESTORED, 'run'] });
    expect(warm.log).not.toContain('Restore Duration');
    // A further environment has its own memory.
    await test.emulator.control('POST', `/_emulator/lambda/${name}/evict-container`);
    const again = await test.invoke(name, {}, { Qualifier: '1' });
    expect(again.payload).toMatchObject({ seen: RESTORED });
    expect(again.log).toContain('Restore Duration');
  });

  it('reports a failed initialization as the state of the version', async () => {
    const name = await test.define({ 'index.py': 'raise ValueError("no configuration")' }, SNAP_START);
    await test.lambda.publishVersion({ FunctionName: name });
    const { State, StateReason, StateReasonCode } = await test.lambda.getFunctionConfiguration({
      FunctionName: name,
      Qualifier: '1',
    });
    expect({ State, StateReason, StateReasonCode }).toEqual({
      State: 'Failed',
      StateReason: 'Function initialization failed: no configuration',
      StateReasonCode: 'FunctionError.RuntimeInitError',
    });
    expect(await failureOf(test.invoke(name, {}, { Qualifier: '1' }))).toBe(
      'ResourceConflictException: The operation cannot be performed at this time. The function is currently in the following state: Failed',
    );
    const failing = await test.define(
      {
        'index.py':
          'from snapshot_restore_py import register_before_snapshot\n@register_before_snapshot\ndef hook():\n    raise ValueError("no snapshot")\ndef handler(event, context):\n    pass',
      },
      { ...SNAP_START, Publish: true },
    );
    expect(await test.lambda.getFunction({ FunctionName: failing, Qualifier: '1' })).toMatchObject({
      Configuration: { State: 'Failed', StateReason: 'Function initialization failed: no snapshot' },
    });
  });

  it('refuses an invocation whose restore fails', async () => {
    const name = await test.define(
      {
        'index.py': `
from snapshot_restore_py import register_after_restore

@register_after_restore
def hook():
    raise ValueError("no database")

def handler(event, context):
    return "ran"
`,
      },
      SNAP_START,
    );
    await test.lambda.publishVersion({ FunctionName: name });
    await test.lambda.getFunctionConfiguration({ FunctionName: name, Qualifier: '1' });
    for (let attempt = 0; attempt < 2; attempt++)
      expect(await failureOf(test.invoke(name, {}, { Qualifier: '1' }))).toBe(
        'SnapStartException: The afterRestore() runtime hook encountered an error. For more information, check the Amazon CloudWatch logs.',
      );
    const log = await logOf(name);
    expect(log).toContain('[ERROR] ValueError: no database');
    expect(log).toMatch(/RESTORE_REPORT Restore Duration: [\d.]+ ms\tStatus: error\tError Type: ValueError$/m);
    expect(await test.invoke(name)).toMatchObject({ payload: 'ran' });
  });

  it('continues after a restart', async () => {
    const dataPath = mkdtempSync(join(tmpdir(), 'emu-test-'));
    try {
      let name: string;
      {
        await using before = await startRunning({ dataPath });
        const code = 'import time\ntime.sleep(1)\ndef handler(event, context):\n    return "ran"';
        name = await before.define({ 'index.py': code }, SNAP_START);
        expect(await before.lambda.publishVersion({ FunctionName: name })).toMatchObject({ State: 'Pending' });
      }
      await using after = await startRunning({ dataPath });
      const described = { FunctionName: name, Qualifier: '1' };
      expect(await after.lambda.getFunctionConfiguration(described)).toMatchObject({ State: 'Active' });
      expect(await after.invoke(name, {}, { Qualifier: '1' })).toMatchObject({ payload: 'ran' });
    } finally {
      rmSync(dataPath, { recursive: true, force: true });
    }
  });

  it('logs restores as JSON', async () => {
    const name = await test.define(
      { 'index.py': 'def handler(event, context):\n    return "ran"' },
      { ...SNAP_START, LoggingConfig: { LogFormat: 'JSON' } },
    );
    await test.lambda.publishVersion({ FunctionName: name });
    expect(await test.invoke(name, {}, { Qualifier: '1' })).toMatchObject({ payload: 'ran' });
    const events = (await logOf(name)).split('\n').map((line) => JSON.parse(line));
    expect(events).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          type: 'platform.initReport',
          record: expect.objectContaining({ initializationType: 'snap-start', phase: 'init', status: 'success' }),
        }),
        expect.objectContaining({ type: 'platform.restoreStart' }),
        expect.objectContaining({
          type: 'platform.restoreReport',
          record: { status: 'success', metrics: { durationMs: expect.any(Number) } },
        }),
        expect.objectContaining({
          type: 'platform.report',
          record: expect.objectContaining({
            metrics: expect.objectContaining({
              restoreDurationMs: expect.any(Number),
              billedRestoreDurationMs: expect.any(Number),
            }),
          }),
        }),
      ]),
    );
  });

  it('does not apply to runtimes that lack the module of hooks', async () => {
    const name = await test.define({ 'index.py': HOOKS }, { ...PYTHON, Runtime: 'python3.11' });
    expect(await test.invoke(name)).toMatchObject({
      payload: { errorType: 'Runtime.ImportModuleError', errorMessage: expect.stringContaining('snapshot_restore_py') },
    });
  });
});

describe('SnapStart is accepted', () => {
  // https://aws.amazon.com/about-aws/whats-new/2026/07/aws-lambda-snapstart-container/
  it('for images and for runtimes that this machine cannot run', async () => {
    const SnapStart = { ApplyOn: 'PublishedVersions' } as const;
    const image = await test.create('image', {
      PackageType: 'Image',
      Code: { ImageUri: 'public.ecr.aws/example/image:1' },
      Runtime: undefined,
      Handler: undefined,
      SnapStart,
    });
    const java = await test.define({ 'Handler.class': '' }, { Runtime: 'dotnet8', Handler: 'A::B::C', SnapStart });
    for (const FunctionName of [image, java]) {
      await test.lambda.publishVersion({ FunctionName });
      const { SnapStart: shown } = await test.lambda.getFunctionConfiguration({ FunctionName, Qualifier: '1' });
      expect(shown).toEqual({ ApplyOn: 'PublishedVersions', OptimizationStatus: 'On' });
    }
    const described = { FunctionName: java, Qualifier: '1' };
    expect(await test.lambda.getFunctionConfiguration(described)).toMatchObject({ State: 'Active' });
  });
});

describe('SnapStart is refused', () => {
  // https://docs.aws.amazon.com/lambda/latest/dg/snapstart.html#snapstart-runtimes
  it('with provisioned concurrency and large ephemeral storage', async () => {
    const code = { 'index.py': 'def handler(event, context):\n    return "ran"' };
    const name = await test.define(code, { ...SNAP_START, Publish: true });
    const provision = { FunctionName: name, Qualifier: '1', ProvisionedConcurrentExecutions: 1 };
    expect(await failureOf(test.lambda.putProvisionedConcurrencyConfig(provision))).toBe(
      'InvalidParameterValueException: Provisioned Concurrency is not supported for SnapStart enabled functions.',
    );
    expect(await failureOf(test.define(code, { ...SNAP_START, EphemeralStorage: { Size: 513 } }))).toBe(
      'InvalidParameterValueException: Ephemeral storage of more than 512 MB is not supported for SnapStart enabled functions.',
    );
  });
});
