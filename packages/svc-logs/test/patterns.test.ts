import { describe, expect, it } from 'vitest';
import { parsePattern } from '../src/patterns/parse.ts';

// Examples are from AWS's page on filter patterns, and from user reports where it is silent.
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html

const matching = (pattern: string, ...messages: string[]): string[] =>
  messages.filter((message) => parsePattern(pattern).test(message));

const TRAIL = JSON.stringify({
  eventType: 'UpdateTrail',
  sourceIPAddress: '111.111.111.111',
  arrayKey: ['value', 'another value'],
  objectList: [
    { name: 'a', id: 1 },
    { name: 'b', id: 2 },
  ],
  SomeObject: null,
  cluster: { name: 'c' },
  ThisFlag: true,
  latency: 50,
  ratio: 12.34,
  account: '123456789012',
  'odd key': 'odd',
  escaped: 'error "message"',
});

describe('patterns of terms', () => {
  const BOTH = 'ERROR WARN message';
  const ERROR = '[ERROR] message';
  const WARN = 'WARN message';
  it.each([
    ['', [BOTH, ERROR, WARN]],
    [' ', [BOTH, ERROR, WARN]],
    ['ERROR', [BOTH, ERROR]],
    ['error', []],
    ['ERROR WARN', [BOTH]],
    ['?ERROR ?WARN', [BOTH, ERROR, WARN]],
    ['ERROR -WARN', [ERROR]],
    ['"ERROR] mess"', [ERROR]],
    ['-"ERROR]"', [BOTH, WARN]],
    ['?WARN "ERROR"', [BOTH, ERROR]],
    ['%^WARN|\\[ERR%', [ERROR, WARN]],
    ['message -%WA.N%', [ERROR]],
  ])('%s', (pattern, expected) => {
    expect(matching(pattern, BOTH, ERROR, WARN)).toEqual(expected);
  });

  it.each([
    ['request-id', "Invalid character(s) in term 'request-id'"],
    ['"event": "x"', "Invalid character(s) in term ':'"],
    ['%some!%', "Invalid character(s) in term '%some!%'"],
    ['"open', 'Invalid metric filter pattern'],
  ])('rejects %s', (pattern, message) => {
    expect(() => parsePattern(pattern)).toThrow(message);
  });
});

describe('patterns of JSON', () => {
  it.each([
    '{ $.eventType = "UpdateTrail" }',
    '{ $.eventType = UpdateTrail }',
    '{ $.eventType = Update* }',
    '{ $.eventType = "*Trail" }',
    '{ $.eventType = * }',
    '{ $.eventType != "NoTrail" }',
    '{ $.sourceIPAddress != 123.123.* }',
    '{ $.sourceIPAddress = *.111.111.111 }',
    '{ $.arrayKey[0] = "value" }',
    '{ $.arrayKey[*] = "another value" }',
    '{ $.objectList[1].id = 2 }',
    '{ $.SomeObject IS NULL }',
    '{ $.SomeOtherObject NOT EXISTS }',
    '{ $.ThisFlag IS TRUE }',
    '{ $.latency = 50 }',
    '{ $.latency = 50.0 }',
    '{ $.latency = "50" }',
    '{ $.latency = 5* }',
    '{ $.latency > +10e-1 && $.ratio <= 12.34 }',
    '{ $.account = 123456789012 }',
    '{ $.["odd key"] = odd }',
    "{ $['odd key'] = odd }",
    '{ $.escaped = "error \\"message\\"" }',
    '{ $.eventType = %^Up[a-z]+Trail$% }',
    '{ $.eventType != %Delete% }',
    '{ ($.latency = 1 && $.eventType = x) || $.ratio = 12.34 }',
    '{$.eventType=UpdateTrail||$.latency=1&&$.ratio=0}',
  ])('%s matches', (pattern) => {
    expect(matching(pattern, TRAIL)).toEqual([TRAIL]);
  });

  it.each([
    '{ $.eventType = updatetrail }',
    '{ $.eventType = Up*Trail }',
    '{ $.latency = "50.0" }',
    '{ $.latency != 50 }',
    '{ $.eventType >= 123 }',
    // A selector without a value, or of a list or object, never matches.
    '{ $.notThere = "x" }',
    '{ $.notThere != "x" }',
    '{ $.arrayKey != "x" }',
    '{ $.cluster != "x" }',
    '{ $.ThisFlag IS FALSE }',
    '{ $.SomeObject NOT EXISTS }',
    '{ ($.eventType = UpdateTrail || $.latency = 1) && $.ratio = 0 }',
  ])('%s does not match', (pattern) => {
    expect(matching(pattern, TRAIL, 'no JSON', '{"half":')).toEqual([]);
  });

  it.each([
    '{ $.eventType > "UpdateTrail" }',
    '{ $.eventType > UpdateTrail }',
    '{ $.eventType }',
    '{ eventType = x }',
    '{ $.a = 1',
    '{ $.a = 1 } x',
    '{ $.a = %a% && $.b = %b% && $.c = %c% }',
  ])('rejects %s', (pattern) => {
    expect(() => parsePattern(pattern)).toThrow();
  });

  it('extracts named fields', () => {
    expect(parsePattern('{ $.latency > 1 && $.eventType = * && $.nothing NOT EXISTS }').extract(TRAIL)).toEqual({
      '$.latency': '50',
      '$.eventType': 'UpdateTrail',
    });
  });
});

describe('space-delimited patterns', () => {
  const FOUND = '127.0.0.1 - frank [10/Oct/2000:13:25:15 -0700] "GET /index.html HTTP/1.0" 200 1534';
  const MISSING = '127.0.0.1 - frank [10/Oct/2000:13:35:22 -0700] "GET /apache_pb.gif HTTP/1.0" 404 324';
  it.each([
    ['[ip, user, username, timestamp, request, status_code, bytes]', [FOUND, MISSING]],
    ['[ip, user, username, timestamp, request, status_code, bytes > 1000]', [FOUND]],
    ['[ip, user, username, timestamp, request = *html*, status_code = 2*, bytes]', [FOUND]],
    ['[..., status_code = 4* && status_code != 403, bytes]', [MISSING]],
    ['[ip=%127\\.0\\.0\\.[12]%, user, ..., status_code = 404 || status_code = 500, bytes]', [MISSING]],
    ['[ip, user, ...]', [FOUND, MISSING]],
    ['[ip, user]', []],
    ['[..., request =*.html*, , ]', [FOUND]],
    ['[ip, , username = "frank", ..., status_code =! 404, bytes]', [FOUND]],
  ])('%s', (pattern, expected) => {
    expect(matching(pattern, FOUND, MISSING)).toEqual(expected);
  });

  it('extracts every field, by name or position', () => {
    expect(parsePattern('[..., request=*.html*, status_code=2*,]').extract(FOUND)).toEqual({
      $1: '127.0.0.1',
      $2: '-',
      $3: 'frank',
      $4: '10/Oct/2000:13:25:15 -0700',
      $request: 'GET /index.html HTTP/1.0',
      $status_code: '200',
      $7: '1534',
    });
  });

  it.each(['[ip, user', '[..., a, ...]', '[ip > "a"]', '[ip = ]', '[a = 1 && b = 2]'])('rejects %s', (pattern) => {
    expect(() => parsePattern(pattern)).toThrow();
  });
});
