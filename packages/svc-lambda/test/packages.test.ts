import { zipOf } from '@emu/gateway/testing';
import { describe, expect, it } from 'vitest';
import { measureZip, readZip } from '../src/code/zip.ts';
import { BASE, CODE, failureOf, startLambda } from './support.ts';

const BROKEN =
  'InvalidParameterValueException: Could not unzip uploaded file. Please check your file, then try to upload again.';

const zeros = (megabytes: number) => Buffer.alloc(megabytes * 1024 * 1024);

describe('packages', () => {
  it.each<[string, () => Uint8Array, string]>([
    ['no archive', () => Buffer.from('not a zip'), BROKEN],
    ['no bytes', () => new Uint8Array(1), BROKEN],
    ['half an archive', () => CODE.subarray(0, CODE.length / 2), BROKEN],
    ['no files', () => zipOf({}), 'InvalidParameterValueException: Uploaded file must be a non-empty zip'],
    ['paths that lead outside', () => zipOf({ '../outside': 'x' }), BROKEN],
    ['paths that lead outside after a subfolder', () => zipOf({ 'a/../../outside': 'x' }), BROKEN],
    ['absolute paths', () => zipOf({ '/etc/passwd': 'x' }), BROKEN],
    ['Windows paths', () => zipOf({ 'C:\\x': 'x' }), BROKEN],
    ['backslashes that lead outside', () => zipOf({ '..\\outside': 'x' }), BROKEN],
    ['files larger than declared', () => zipOf({ a: { content: zeros(1), claimedSize: 10 } }), BROKEN],
    ['files smaller than declared', () => zipOf({ a: { content: 'x', claimedSize: 10 } }), BROKEN],
    [
      'a bomb',
      () => zipOf({ a: zeros(251) }),
      'InvalidParameterValueException: Unzipped size must be smaller than 262144000 bytes',
    ],
    [
      'many small zip bombs',
      () => zipOf(Object.fromEntries(Array.from({ length: 26 }, (_, index) => [`f${index}`, zeros(10)]))),
      'InvalidParameterValueException: Unzipped size must be smaller than 262144000 bytes',
    ],
    ['a zip bomb with a false size', () => zipOf({ a: { content: zeros(260), claimedSize: 1000 } }), BROKEN],
  ])('rejects %s', async (_, bytes, message) => {
    await using test = await startLambda();
    const ZipFile = bytes();
    expect(await failureOf(test.lambda.createFunction({ ...BASE, FunctionName: 'fn', Code: { ZipFile } }))).toBe(
      message,
    );
    expect(await failureOf(test.lambda.publishLayerVersion({ LayerName: 'l', Content: { ZipFile } }))).toBe(message);
    expect((await test.lambda.getAccountSettings({})).AccountUsage).toEqual({ FunctionCount: 0, TotalCodeSize: 0 });
  });

  it("rejects more than 50 MB with AWS's error", async () => {
    await using test = await startLambda();
    const create = (ZipFile: Uint8Array) =>
      failureOf(test.lambda.createFunction({ ...BASE, FunctionName: 'fn', Code: { ZipFile } }));
    expect(await create(Buffer.alloc(52_428_801))).toBe(
      'RequestEntityTooLargeException: Zipped size must be smaller than 52428800 bytes',
    );
    expect(await create(Buffer.alloc(52_700_000))).toBe(
      'RequestEntityTooLargeException: Request must be smaller than 70167211 bytes for the CreateFunction operation',
    );
  });

  it('keeps file modes', async () => {
    const bytes = zipOf({ 'bin/': { content: '', mode: 0o040755 }, 'bin/run': { content: 'x', mode: 0o100755 } });
    const entries = [];
    for await (const { name, mode, size, read } of readZip(bytes)) {
      let content = '';
      if (!name.endsWith('/')) for await (const chunk of read()) content += Buffer.from(chunk);
      entries.push([name, mode.toString(8), size, content]);
    }
    expect(entries).toEqual([
      ['bin/', '40755', 0, ''],
      ['bin/run', '100755', 1, 'x'],
    ]);
    expect(await measureZip(bytes, 10)).toEqual({ size: 1, files: 2 });
  });
});
