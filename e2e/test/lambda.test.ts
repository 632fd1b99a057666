import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipOf } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsCli, noCli } from '../src/aws-cli.ts';
import { type Emu, startEmu, temporaryDirectory } from '../src/emu.ts';

const PACKAGE = zipOf({
  'index.js': 'exports.handler = async (event) => ({ event, table: process.env.TABLE ?? null });',
});

describe.skipIf(noCli !== undefined)(`Lambda through the AWS CLI${noCli ? ` (skipped: ${noCli})` : ''}`, () => {
  let emu: Emu;
  beforeAll(async () => {
    emu = await startEmu();
  });
  afterAll(() => emu?.kill());

  const cli = awsCli(() => emu.url);
  const answer = (...args: string[]) => cli.answer('lambda', ...args);

  test('a function from creation to deletion', { timeout: 180_000 }, async () => {
    using directory = temporaryDirectory();
    const zip = join(directory.path, 'package.zip');
    const out = join(directory.path, 'out.json');
    writeFileSync(zip, PACKAGE);
    const named = ['--function-name', 'cli'];
    const created = await answer(
      ...['create-function', ...named, '--role', 'arn:aws:iam::123456789012:role/cli', '--runtime', 'nodejs20.x'],
      ...['--handler', 'index.handler', '--zip-file', `fileb://${zip}`, '--environment', 'Variables={TABLE=t}'],
    );
    expect(created).toMatchObject({ FunctionName: 'cli', State: 'Pending', CodeSize: PACKAGE.length });
    await answer('wait', 'function-active-v2', ...named);
    expect(await answer('invoke', ...named, '--payload', '{"a":"✓"}', out)).toMatchObject({ StatusCode: 200 });
    expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual({ event: { a: '✓' }, table: 't' });
    expect(await answer('publish-version', ...named)).toMatchObject({ Version: '1' });
    await answer('create-alias', ...named, '--name', 'live', '--function-version', '1');
    await answer(
      ...['add-permission', ...named, '--qualifier', 'live', '--statement-id', 's3'],
      ...['--action', 'lambda:InvokeFunction', '--principal', 's3.amazonaws.com'],
    );
    const { Policy } = await answer('get-policy', ...named, '--qualifier', 'live');
    expect(JSON.parse(String(Policy)).Statement).toMatchObject([{ Sid: 's3' }]);
    const failed = await cli.run('lambda', 'get-function', '--function-name', 'cli:none');
    expect(failed.stderr.trim()).toBe(
      'An error occurred (ResourceNotFoundException) when calling the GetFunction operation: Function not found: arn:aws:lambda:us-east-1:123456789012:function:cli:none',
    );
    await answer('delete-function', ...named);
    expect(await answer('list-functions')).toEqual({ Functions: [] });
  });
});
