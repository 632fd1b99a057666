import { describe, expect, it } from 'vitest';
import { Mapping } from '../src/mapping.ts';
import { alignTokens } from '../src/tokens.ts';

const ID = '3a2e0487-c009-471a-a940-a3145fd3c87a';
const OTHER = '0d338eab-f88c-4a26-b26e-08be2cbcf985';

describe('a mapping', () => {
  const mapping = new Mapping();
  mapping.learn(ID, OTHER);
  mapping.learn('https://sqs.us-east-1.amazonaws.com/1/jobs', 'http://localhost/1/jobs');
  mapping.learn('abcd1', 'wxyz9');
  mapping.learn('abcd1-tail', 'longer');
  mapping.learnBytes(Buffer.from([1, 255]), Buffer.from([2, 254, 3]));

  it('replaces values inside of texts, the longest first, and leaves parts of words', () => {
    expect(mapping.replace(`{"id":"${ID}","url":"https://sqs.us-east-1.amazonaws.com/1/jobs"}`)).toBe(
      `{"id":"${OTHER}","url":"http://localhost/1/jobs"}`,
    );
    expect(mapping.replace('abcd1 abcd1-tail xabcd1 abcd12')).toBe('wxyz9 longer xabcd1 abcd12');
  });

  it('replaces values in keys, lists and blobs, and keeps other values', () => {
    const input = JSON.parse(`{"__proto__":["abcd1",5,null,true],"${ID}":{}}`) as Record<string, unknown>;
    const replaced = mapping.replaceIn({ ...input, at: new Date(0), blob: Buffer.from(`id ${ID}`) });
    expect(JSON.stringify(replaced)).toContain(`"${OTHER}":{}`);
    expect(replaced).toMatchObject({ at: new Date(0), blob: new Uint8Array(Buffer.from(`id ${OTHER}`)) });
    expect(mapping.replaceIn(Buffer.from([1, 255]))).toEqual(new Uint8Array([2, 254, 3]));
    expect(mapping.replaceIn(Buffer.from([255, 1]))).toEqual(Buffer.from([255, 1]));
  });

  it('takes linear time for repetitive texts', () => {
    const repetitive = new Mapping();
    for (let length = 1; length <= 60; length++) repetitive.learn('a-'.repeat(length), `b${length}`);
    const text = 'a-'.repeat(200_000);
    const started = performance.now();
    repetitive.replace(text);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

it('texts are aligned by their generated tokens', () => {
  expect(alignTokens(`key/${ID}`, `key/${OTHER}`)).toEqual([{ recorded: ID, actual: OTHER }]);
  expect(alignTokens('at 2026-01-02T03:04:05.678Z', 'at 2027-01-02T03:04:05Z')).toHaveLength(1);
  expect(alignTokens('arn:aws:sqs:us-east-1:1:jobs', 'arn:aws:sqs:us-east-1:1:jobz')).toBeUndefined();
  expect(alignTokens('one two', 'one')).toBeUndefined();
  expect(
    alignTokens(
      'arn:aws:secretsmanager:us-east-1:1:secret:name-abcdef',
      'arn:aws:secretsmanager:us-east-1:1:secret:name-ghijkl',
    ),
  ).toHaveLength(1);
});
