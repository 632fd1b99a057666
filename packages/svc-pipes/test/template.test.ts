import { expect, test } from 'vitest';
import { resolved, transform } from '../src/execution/template.ts';

const facts = {
  pipeArn: 'pipe-arn',
  pipeName: 'p',
  sourceArn: 'source',
  enrichmentArn: undefined,
  targetArn: 'target',
  ingestedAt: 0,
};
const value = { messageId: 'm', body: '{"a":{"b":"x \\"y\\""},"list":[1,{"n":2}]}' };
const event = { value, decoded: { messageId: 'm', body: { a: { b: 'x "y"' }, list: [1, { n: 2 }] } } };

// Forms from https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-input-transformation.html
test.each([
  [undefined, value],
  ['Hello, sender', 'Hello, sender'],
  ['<$.messageId>', 'm'],
  ['<$.body.a>', { b: 'x "y"' }],
  ['Hello, <$.messageId>', 'Hello, m'],
  ['{ "id": "<$.messageId>", "at": <aws.pipes.event.ingestion-time> }', { id: 'm', at: '1970-01-01T00:00:00.000Z' }],
  ['{ "text": "<$.body.a.b>" }', { text: 'x "y"' }],
  ['{ "part": <$.body.list[1].n>, "all": <$.body.list[*].n> }', { part: 2, all: [2] }],
  ['{ "none": <$.body.none>, "quoted": "<$.none>" }', { none: '', quoted: '' }],
  ['{ "pipe": "<aws.pipes.pipe-name>", "whole": <aws.pipes.event.json> }', { pipe: 'p', whole: event.decoded }],
])('%s', (template, expected) => {
  expect(transform(template, event, facts)).toEqual(expected);
});

test('parameters can be paths', () => {
  expect(resolved('$.body.a.b', event)).toBe('x "y"');
  expect(resolved('$.body.list', event)).toBe('[1,{"n":2}]');
  expect(resolved('fixed', event)).toBe('fixed');
  expect(resolved('$.none', event)).toBeUndefined();
});
