import { expect, it } from 'vitest';
import { hintsOf } from '../../src/insights/engine/hints.ts';
import { parseQuery } from '../../src/insights/language/parse.ts';

it.each([
  ['filter @message like "needle" and a = 1', 'needle'],
  ['filter @message like "quote\\"d"', undefined],
  ['filter @message like "a" or b = 1', undefined],
  ['filter @message not like "a"', undefined],
  ['filter requestId = "abc-1"', 'abc-1'],
  ['filter @requestId = "abc-1"', 'abc-1'],
  ['filter @logStream = "abc"', undefined],
  ['filter status = "200"', undefined],
  ['filter path = "/a<b"', undefined],
  ['fields toupper(a) as b | filter b = "ABC"', undefined],
  ['parse a /(?<b>x)/ | filter b = "x"', undefined],
  ['stats count(*) by a | filter a = "abc"', undefined],
  ['limit 1 | filter a = "abc"', undefined],
])('%s', (query, contains) => {
  expect(hintsOf(parseQuery(query).commands).contains).toBe(contains);
});
