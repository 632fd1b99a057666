import type { ApiRecord, RecordedLine } from '@emu/recording';
import type { ServiceModel } from '@emu/wire';
import { describe, expect, it } from 'vitest';
import sqs from '../../svc-sqs/model/sqs.json' with { type: 'json' };
import {
  type FoundDifference,
  ignoringEntry,
  parseIgnoreList,
  REPORTS,
  type ReplayResult,
  replay,
  reportOf,
  type Target,
  type TargetRequest,
  withAccepted,
} from '../src/index.ts';

const START = Date.parse('2026-03-02T10:00:00.000Z');

/** A target that responds by a function, and records requests and times. */
class FakeTarget implements Target {
  readonly requests: TargetRequest[] = [];
  readonly times: number[] = [];
  running = 0;
  mostRunning = 0;

  constructor(private readonly answer: (operation: string, input: Record<string, unknown>) => [number, object]) {}

  async send(request: TargetRequest) {
    this.requests.push(request);
    this.running++;
    this.mostRunning = Math.max(this.mostRunning, this.running);
    await new Promise((resolve) => setImmediate(resolve));
    this.running--;
    const operation = request.headers['x-amz-target']!.split('.')[1]!;
    const [status, body] = this.answer(operation, JSON.parse(Buffer.from(request.body).toString()) as never);
    const headers = { 'content-type': 'application/x-amz-json-1.0' };
    return { status, headers, body: Buffer.from(JSON.stringify(body)) };
  }

  async start(time: number) {
    this.times.push(time);
  }

  async advanceTo(time: number) {
    this.times.push(time);
  }
}

let n = 0;
const lineOf = (operation: string, more: Partial<ApiRecord>): RecordedLine => {
  n++;
  const startedAt = new Date(START + n * 1000).toISOString();
  const common = { n, startedAt, milliseconds: 5, service: 'sqs', region: 'us-east-1', status: 200, headers: {} };
  return { line: n + 1, record: { ...common, operation, input: {}, ...more } as ApiRecord };
};

const run = (target: Target, lines: readonly RecordedLine[], concurrent = false): Promise<ReplayResult> =>
  replay([{ file: 'a.jsonl', lines }], {
    target,
    concurrent,
    modelOf: async (service) => (service === 'sqs' ? (sqs as unknown as ServiceModel) : undefined),
  });

const classesOf = ({ differences }: ReplayResult): string[] =>
  differences.map(({ class: kind, path }) => `${kind} ${path}`.trim());

describe('a replay', () => {
  it('signs as the recorded account, maps generated values, and drives the clock', async () => {
    const target = new FakeTarget((operation, input) =>
      operation === 'SendMessage'
        ? [200, { MessageId: '0d338eab-f88c-4a26-b26e-08be2cbcf985', MD5OfMessageBody: 'x' }]
        : [200, { Attributes: { echo: input.QueueUrl } }],
    );
    const id = '3a2e0487-c009-471a-a940-a3145fd3c87a';
    const result = await run(target, [
      lineOf('SendMessage', { input: { MessageBody: 'a' }, output: { MessageId: id, MD5OfMessageBody: 'x' } }),
      lineOf('GetQueueAttributes', {
        input: { QueueUrl: `http://x/${id}` },
        output: { Attributes: { echo: `http://x/${id}`, arn: 'arn:aws:sqs:us-east-1:111122223333:a' } },
      }),
    ]);
    expect(classesOf(result)).toEqual(['missing member Attributes.arn']);
    const { headers, body } = target.requests.at(-1)!;
    expect(headers.authorization).toContain('Credential=111122223333/20260302/us-east-1/sqs/aws4_request');
    expect(Buffer.from(body).toString()).toContain('0d338eab-f88c-4a26-b26e-08be2cbcf985');
    const times = target.times.map((time) => time - START);
    expect(times.slice(0, 2)).toEqual([times[0], times[0]]);
    expect([...times].sort((a, b) => a - b)).toEqual(times);
  });

  it('follows a poll loop to its final state, and leaves out repeated attempts', async () => {
    const answers = ['CREATING', 'ACTIVE'];
    const target = new FakeTarget((operation) =>
      operation === 'ListQueues' ? [200, { NextToken: answers.length > 1 ? answers.shift() : answers[0] }] : [200, {}],
    );
    const poll = (state: string) => lineOf('ListQueues', { output: { QueueUrls: [], NextToken: state } });
    const throttled = lineOf('DeleteQueue', { status: 400, error: { code: 'RequestThrottled', message: 'x' } });
    const result = await run(target, [
      ...['CREATING', 'CREATING', 'CREATING', 'ACTIVE'].map(poll),
      throttled,
      lineOf('DeleteQueue', { output: {} }),
    ]);
    expect(result.leftOut).toBeGreaterThan(0);
    expect(target.requests.filter(({ headers }) => headers['x-amz-target']!.endsWith('DeleteQueue'))).toHaveLength(1);
  });

  it('lets requests overlap as recorded', async () => {
    const startedAt = new Date(START).toISOString();
    const lines = Array.from({ length: 4 }, () =>
      lineOf('DeleteQueue', { startedAt, milliseconds: 1000, output: {} } as Partial<ApiRecord>),
    );
    const target = new FakeTarget(() => [200, {}]);
    await run(target, lines, true);
    expect(target.mostRunning).toBe(4);
    const sequential = new FakeTarget(() => [200, {}]);
    await run(sequential, lines);
    expect(sequential.mostRunning).toBe(1);
  });

  it('finds other codes, messages, statuses, and what is not implemented', async () => {
    const target = new FakeTarget((operation) => {
      if (operation === 'DeleteQueue') return [501, { __type: 'NotImplemented', message: 'no' }];
      if (operation === 'PurgeQueue') return [403, { __type: 'com.amazonaws.sqs#QueueDoesNotExist', message: 'none' }];
      return [400, { __type: 'OverLimit', message: 'too many' }];
    });
    const failed = {
      status: 400,
      error: { code: 'AWS.SimpleQueueService.NonExistentQueue', message: 'It is missing.' },
    };
    const result = await run(target, [
      lineOf('DeleteQueue', { output: {} }),
      lineOf('PurgeQueue', failed),
      lineOf('CreateQueue', failed),
      lineOf('ListQueues', { service: 'bedrock', output: {} }),
      lineOf('NoSuchOperation', { output: {} }),
    ]);
    expect(classesOf(result)).toEqual([
      'not implemented',
      'other status',
      'other message',
      'other code',
      'not implemented',
      'not implemented',
    ]);
  });

  // A recording may be of somebody else.
  it('survives invalid requests, and sends none elsewhere', async () => {
    const target = new FakeTarget(() => [200, {}]);
    const raw = (request: object): RecordedLine => {
      const { line, record } = lineOf('x', {});
      const { input: _, output: __, ...common } = record as ApiRecord;
      const response = { status: 200, headers: {} };
      const sent = { method: 'GET', host: 'a.example.com', path: '/', query: '', headers: {}, ...request };
      return { line, record: { ...common, service: 'execute-api', request: sent, response } as never };
    };
    let deep: unknown = 'x';
    for (let level = 0; level < 400; level++) deep = [deep];
    const result = await run(target, [
      raw({ host: 'evil.example.com/path' }),
      raw({ host: 'a\r\nx: y' }),
      raw({ path: 'http://169.254.169.254/latest' }),
      lineOf('SendMessage', { input: { MessageBody: { $time: 'never' } } as never, output: {} }),
      lineOf('SendMessage', { region: 'x/y\r\n', output: {} }),
      lineOf('CreateQueue', { input: { Attributes: deep } as never, output: {} }),
      lineOf('constructor', { output: {} }),
    ]);
    expect(result.compared).toBe(7);
    expect(new Set(classesOf(result))).toEqual(new Set(['no response', 'not implemented']));
    expect(target.requests.filter(({ host }) => host !== undefined)).toEqual([]);
  });
});

describe('reports', () => {
  const found = (more: Partial<FoundDifference>): FoundDifference => ({
    ...{ service: 'sqs', operation: 'ListQueues', line: 3, file: 'a.jsonl', class: 'other value', path: 'A.B' },
    ...more,
  });
  const differences = [
    found({ recorded: '<b>|\u001b[31m', actual: 'c' }),
    found({ line: 4 }),
    found({ operation: 'CreateQueue', class: 'missing member', path: 'X', recorded: '1' }),
  ];
  const operations = new Map([
    ['sqs ListQueues', 5],
    ['sqs CreateQueue', 1],
    ['sqs DeleteQueue', 2],
  ]);
  const result = { compared: 8, leftOut: 1, ignored: 2, differences, operations };

  it('name the most frequent operations first, with lines, and no control characters', () => {
    const text = reportOf(result, 'text');
    expect(text.indexOf('ListQueues: 2 of 5')).toBeGreaterThanOrEqual(0);
    expect(text.indexOf('CreateQueue: 1 of 1')).toBeGreaterThan(text.indexOf('ListQueues'));
    expect(text).toContain('a.jsonl:3, a.jsonl:4');
    expect(text).toContain('8 requests compared: 3 differences in 2 requests, 2 ignored, 1 request left out');
    for (const format of REPORTS) expect(reportOf(result, format)).not.toContain('\u001b[31m');
    expect(JSON.parse(reportOf(result, 'json'))).toMatchObject({ compared: 8, operations: [{ different: 2 }, {}] });
    expect(reportOf(result, 'junit')).toContain('<testsuite name="emu replay" tests="3" failures="2">');
    expect(reportOf(result, 'junit')).toContain('&lt;b&gt;');
    expect(reportOf(result, 'markdown')).toContain('| sqs ListQueues | other value | A.B | 2 | &lt;b>\\|');
  });

  it('leave out ignored differences', () => {
    const list = withAccepted({ ignored: [] }, differences, 'known');
    expect(list.ignored).toHaveLength(2);
    expect(differences.every((difference) => ignoringEntry(list, difference))).toBe(true);
    expect(ignoringEntry(list, found({ path: 'other' }))).toBeUndefined();
    expect(parseIgnoreList(JSON.stringify(list))).toEqual(list);
    const whole = parseIgnoreList('{"ignored":[{"service":"sqs","operation":"ListQueues","reason":"r"}]}');
    expect(ignoringEntry(whole, differences[0]!)).toBeDefined();
    for (const text of [
      '[]',
      '{"ignored":[{"service":"sqs"}]}',
      '{"ignored":[{"service":"s","operation":"o","reason":"r","class":"x"}]}',
    ])
      expect(() => parseIgnoreList(text)).toThrow(SyntaxError);
  });
});
