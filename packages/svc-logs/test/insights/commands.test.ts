import { describe, expect, it } from 'vitest';
import { UnsupportedQuery } from '../../src/insights/language/errors.ts';
import { eventsOf, problemOf, rows, START, stepsAtEnd } from './support.ts';

// Expected results are from "CloudWatch Logs Insights language query syntax" of the user guide.

const many = eventsOf(Array.from({ length: 5000 }, (_, at) => ({ n: (at * 7919) % 5000, third: at % 3, at })));

describe('many rows', () => {
  it.each([
    ['stats count(*) by n', 10_000],
    ['stats count(*) by n | sort n desc | dedup n | tail 5000', 20_000],
    ['sort n', 10_000],
    ['pattern @message', 1],
  ])('end in steps: %s', (query, least) => {
    expect(stepsAtEnd(query, many)).toBeGreaterThanOrEqual(least);
  });

  it.each([100, 10_000])('are sorted, equal ones in the order of arrival, up to %i', (limit) => {
    const sorted = rows('fields at | sort n', many, { limit }).map(({ at }) => (Number(at) * 7919) % 5000);
    expect(sorted).toEqual(Array.from({ length: Math.min(limit, 5000) }, (_, at) => at));
    const stable = rows('fields at | sort third desc', many, { limit }).map(({ at }) => Number(at));
    const expected = [2, 1, 0].flatMap((third) => many.map((_, at) => at).filter((at) => at % 3 === third));
    expect(stable).toEqual(expected.slice(0, limit));
  });
});

const requests = eventsOf([
  { status: 200, path: '/a', ms: 10, user: { name: 'ann', roles: ['x', 'y'] } },
  { status: 404, path: '/b', ms: 30, user: { name: 'bob' } },
  { status: 500, path: '/a', ms: 50, ok: false },
  { status: 200, path: '/c', ms: 20, ok: true },
]);

describe('fields and display', () => {
  it('return timestamp and message by default, newest first, each with its pointer', () => {
    expect(rows('', eventsOf(['one', 'two']))).toEqual([
      { '@timestamp': '2024-03-05 10:00:01.000', '@message': 'two' },
      { '@timestamp': '2024-03-05 10:00:00.000', '@message': 'one' },
    ]);
  });

  it('return fields, calculations named by their text, and aliases; missing fields are omitted', () => {
    expect(rows('fields status, ms / 4, user.name as who, user.roles.1 | sort ms | limit 2', requests)).toEqual([
      { status: '200', 'ms / 4': '2.5', who: 'ann', 'user.roles.1': 'y' },
      { status: '200', 'ms / 4': '5' },
    ]);
  });

  it('display replaces earlier selections', () => {
    const query = 'fields @message | parse path "/*" as name | display status | display name | limit 1';
    expect(rows(query, requests)).toEqual([{ name: 'c' }]);
  });

  it('common fields of all events', () => {
    expect(rows('fields @log, @logStream, @ingestionTime | limit 1', requests)).toEqual([
      { '@log': '000000000000:app', '@logStream': 'stream', '@ingestionTime': '2024-03-05 10:00:03.007' },
    ]);
  });
});

describe('filter', () => {
  const paths = (condition: string) =>
    rows(`fields path | filter ${condition} | sort @timestamp`, requests).map(({ path }) => path);

  it.each([
    ['status = 200', ['/a', '/c']],
    ['status != 200', ['/b', '/a']],
    ['status = "404"', ['/b']],
    ['ms >= 20 and ms < 50', ['/b', '/c']],
    ['status in [404, "500"]', ['/b', '/a']],
    ['status not in [200]', ['/b', '/a']],
    ['path like "/a"', ['/a', '/a']],
    ['path not like "/a"', ['/b', '/c']],
    ['path like /^\\/[AB]$/', []],
    ['path =~ /(?i)^\\/[AB]$/', ['/a', '/b', '/a']],
    ['ispresent(user.name)', ['/a', '/b']],
    ['not ispresent(user.name)', ['/a', '/c']],
    ['!ispresent(user.name) or status = 404', ['/b', '/a', '/c']],
    ['ok = 1', ['/c']],
    ['ok = 0', ['/a']],
    ['user.name != "ann"', ['/b', '/a', '/c']],
    ['user.name > "ann"', ['/b']],
    ['(ms + 10) * 2 > 100', ['/a']],
    ['2 ^ 3 = 8 and 10 % 3 = 1', ['/a', '/b', '/a', '/c']],
  ])('%s', (condition, expected) => {
    expect(paths(condition)).toEqual(expected);
  });
});

describe('stats', () => {
  it('groups by bin with a capped unit', () => {
    expect(rows('stats count(*) as n, sum(ms) by bin(2s) | sort n desc, `bin(2s)`', requests)).toEqual([
      { 'bin(2s)': '2024-03-05 10:00:00.000', n: '2', 'sum(ms)': '40' },
      { 'bin(2s)': '2024-03-05 10:00:02.000', n: '2', 'sum(ms)': '70' },
    ]);
    const late = eventsOf(['a', 'b']).map((event, index) => ({ ...event, timestamp: START + index * 90_000 }));
    expect(rows('stats count(*) by bin(300s)', late)).toHaveLength(2);
    expect(rows('stats count(*) by bin(5m)', late)).toHaveLength(1);
  });

  it('supports every aggregation', () => {
    expect(
      rows(
        `stats count(), count(ok), count_distinct(path), min(ms), max(ms), avg(ms), stddev(ms), pct(ms, 50),
           earliest(path), latest(path), sortsFirst(path), sortsLast(path), values(path), rate(ms, 1s)`,
        requests,
      ),
    ).toEqual([
      {
        'count()': '4',
        'count(ok)': '2',
        'count_distinct(path)': '3',
        'min(ms)': '10',
        'max(ms)': '50',
        'avg(ms)': '27.5',
        'stddev(ms)': '17.0783',
        'pct(ms, 50)': '25',
        'earliest(path)': '/a',
        'latest(path)': '/c',
        'sortsFirst(path)': '/a',
        'sortsLast(path)': '/c',
        'values(path)': '["/a","/b","/c"]',
        'rate(ms, 1s)': '3.3333',
      },
    ]);
  });

  it('calculates with aggregations and earlier aliases', () => {
    expect(rows('stats max(ms) as top, min(ms) as low, top - low as span, sum(ms) / count(*)', requests)).toEqual([
      { top: '50', low: '10', span: '40', 'sum(ms) / count(*)': '27.5' },
    ]);
  });

  it('can be repeated and filtered, with access to earlier results', () => {
    const query = 'stats count(*) as n by path | filter n > 1 | stats sum(n) as total, count(*) as paths';
    expect(rows(query, requests)).toEqual([{ total: '2', paths: '1' }]);
  });

  it('is empty without events', () => {
    expect(rows('stats count(*)', [])).toEqual([]);
  });

  it('groups by ranges, and offsets bins', () => {
    expect(rows('stats count(*) as n by histogram(ms, 20)', requests)).toEqual([
      { 'histogram(ms, 20)': '0', n: '1' },
      { 'histogram(ms, 20)': '20', n: '2' },
      { 'histogram(ms, 20)': '40', n: '1' },
    ]);
    expect(rows('stats count(*) as n by bin(1h) offset 30m', requests)).toEqual([
      { 'bin(1h)': '2024-03-05 09:30:00.000', n: '4' },
    ]);
  });
});

describe('sort, limit and dedup', () => {
  const words = eventsOf(['a10', 'a9', '7', 'b', '12', '', 'a']);
  const sorted = (direction: string) => rows(`fields @message as m | sort m ${direction}`, words).map(({ m }) => m);

  it('sort compares piecewise, with non-numbers first', () => {
    expect(sorted('asc')).toEqual(['', 'a', 'a9', 'a10', 'b', '7', '12']);
    expect(sorted('desc')).toEqual(['12', '7', 'b', 'a10', 'a9', 'a', '']);
  });

  it('limit returns the newest unless the query sorts', () => {
    const many = eventsOf(Array.from({ length: 3000 }, (_, index) => String(index)));
    expect(rows('fields @message as m | limit 2', many)).toEqual([{ m: '2999' }, { m: '2998' }]);
    expect(rows('fields @message as m | sort m | limit 2', many)).toEqual([{ m: '0' }, { m: '1' }]);
    expect(rows('fields @message as m | limit any 2', many)).toEqual([{ m: '0' }, { m: '1' }]);
    expect(rows('fields @message', many, { limit: 5 })).toHaveLength(5);
  });

  it('dedup keeps the first of each value, and all rows without the field', () => {
    expect(rows('fields path, ms | sort ms desc | dedup path', requests).map(({ ms }) => ms)).toEqual([
      '50',
      '30',
      '20',
    ]);
    expect(rows('fields ms | dedup user.name', requests).map(({ ms }) => ms)).toEqual(['20', '50', '30', '10']);
  });
});

describe('parse', () => {
  const line = '25 May 2019 10:24:39,474 [ERROR] {foo=2, bar=data} The error was: DataIntegrityException';

  it('with globs', () => {
    const query =
      'parse @message "[*] * The error was: *" as level, config, exception | display level, config, exception';
    expect(rows(query, eventsOf([line, 'other']))).toEqual([
      {},
      { level: 'ERROR', config: '{foo=2, bar=data}', exception: 'DataIntegrityException' },
    ]);
  });

  it('with regular expressions', () => {
    const query = 'parse @message /\\[(?<level>\\S+)\\]\\s+(?P<config>\\{.*\\})\\s+The error was: (?<exception>\\S+)/';
    expect(rows(query, eventsOf([line]))).toEqual([
      {
        '@timestamp': '2024-03-05 10:00:00.000',
        '@message': line,
        level: 'ERROR',
        config: '{foo=2, bar=data}',
        exception: 'DataIntegrityException',
      },
    ]);
  });

  it('as logfmt, every match, and of the message by default', () => {
    expect(rows('parse @message logfmt as lf | display lf.a, lf.b', eventsOf(['a=1 b="two words"']))).toEqual([
      { 'lf.a': '1', 'lf.b': 'two words' },
    ]);
    expect(rows('parse @message /(?<n>\\d+)/ multi | stats sum(n) as total', eventsOf(['1 2', '3']))).toEqual([
      { total: '6' },
    ]);
    expect(rows("parse 'took * ms' as took | stats avg(took)", eventsOf(['took 3 ms', 'took 4 ms']))).toEqual([
      { 'avg(took)': '3.5' },
    ]);
  });
});

describe('unnest and lookup', () => {
  it('unnest creates a row for each item', () => {
    const events = eventsOf([{ events: [{ name: 'exception' }, { name: 'user action' }] }, { other: 1 }]);
    const query = 'fields jsonParse(@message) as j | unnest j.events into event | display event.name';
    expect(rows(query, events)).toEqual([{ 'event.name': 'exception' }, { 'event.name': 'user action' }]);
    expect(rows('fields jsonParse(@message) as j | display j.events[1].name | limit any 1', events)).toEqual([
      { 'j.events.1.name': 'user action' },
    ]);
  });

  it('lookup adds columns of matching table rows', () => {
    const lookup = (name: string) =>
      name === 'people'
        ? {
            columns: ['id', 'mail'],
            rows: [
              ['ann', 'ann@x'],
              ['ANN', 'no'],
            ],
          }
        : undefined;
    const query = 'lookup people id as user.name OUTPUT mail | sort @timestamp | display path, mail | limit 2';
    expect(rows(query, requests, { lookup })).toEqual([{ path: '/a', mail: 'ann@x' }, { path: '/b' }]);
    expect(problemOf('lookup nobody id OUTPUT mail')).toBe('Lookup table nobody does not exist');
  });
});

describe('pattern and diff', () => {
  const logs = eventsOf([
    '[INFO] Request time: 327 ms',
    '[INFO] Request time: 12 ms',
    '[ERROR] Failed for user alice in the east',
    '[ERROR] Failed for user bob in the east',
  ]);

  it('pattern clusters messages', () => {
    expect(rows('pattern @message | sort @sampleCount desc, @pattern desc', logs)).toEqual([
      {
        '@pattern': '[INFO] Request time: <Time-1> ms',
        '@ratio': '0.5',
        '@sampleCount': '2',
        '@severityLabel': 'Info',
      },
      {
        '@pattern': '[ERROR] Failed for user <Token-1> in the east',
        '@ratio': '0.5',
        '@sampleCount': '2',
        '@severityLabel': 'Error',
      },
    ]);
  });

  it('diff compares to the preceding time range', () => {
    const compared = rows('pattern @message | diff previousDay', logs.slice(0, 1), {}, logs.slice(1, 3));
    expect(
      compared.map((row) => [row['@sampleCount'], row['@differenceEventCount'], row['@differenceDescription']]),
    ).toEqual([
      ['1', '0', 'Same'],
      ['0', '-1', 'Missing'],
    ]);
    expect(problemOf('filter a = 1 | diff')).toBe(
      'Diff compilation Failed : Diff operation has to be used after Pattern',
    );
  });
});

describe('malformed queries', () => {
  // Users of AWS reported the first three messages.
  it.each([
    ['fields a | filter foo(1)', 'unexpected symbol found ( at line 1 and position 21'],
    ['dedup a | sort b', 'unexpected symbol found sort at line 1 and position 10'],
    ['fields @timestamp, x | count()', 'unexpected symbol found count at line 1 and position 23'],
    ['fields a |\n filter', 'unexpected symbol found <EOF> at line 2 and position 7'],
    ['filter a = ', 'unexpected symbol found <EOF> at line 1 and position 11'],
    ['stats foo by x', 'nothing'],
    ['filter count(*) > 1', 'unexpected symbol found ( at line 1 and position 12'],
    ['stats avg(*)', 'unexpected symbol found * at line 1 and position 10'],
    ['limit many', 'unexpected symbol found many at line 1 and position 6'],
    ['filter a like /(/', 'Invalid regular expression: ('],
    ['fields a as b | fields c as b', 'Ephemeral field b is already defined'],
    ['fields substr(a)', 'Invalid number of arguments for the function substr'],
    ['parse @message "*" as a, b', 'The number of aliases must be that of the wildcards in the parse expression'],
    ['fields datefloor(@timestamp, 5)', 'A period such as 5m is expected'],
  ])('%s', (query, problem) => {
    expect(problemOf(query)).toBe(problem);
  });

  it('distinguishes unsupported commands', () => {
    expect(() => problemOf('pattern @message | anomaly')).toThrow(UnsupportedQuery);
    expect(problemOf('fields a in (SOURCE "b" | fields a)')).toBe(
      'unexpected symbol found in at line 1 and position 9',
    );
  });

  it('accepts comments and leading or trailing pipes', () => {
    expect(rows('# all of them\n| fields @message # not that\n# | filter a\n|', eventsOf(['x']))).toEqual([
      { '@message': 'x' },
    ]);
  });
});
