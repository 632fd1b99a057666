import type { StartQueryCommandInput } from '@aws-sdk/client-cloudwatch-logs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { translate } from '../../src/insights/sql/translate.ts';
import { ACCOUNT, failureOf, type LogsTest, startLogs } from '../support.ts';

let test: LogsTest;
beforeAll(async () => {
  test = await startLogs();
  await test.group('app', 'one');
  await test.put(
    'app',
    'one',
    '{"level":"INFO","n":1,"user":{"name":"ann"},"ok":true}',
    '{"level":"ERROR","n":2,"user":{"name":"bob"},"ok":false}',
    '{"level":"ERROR","n":4,"Status":"a"}',
    'plain text',
  );
  await test.group('users', 'one');
  await test.put('users', 'one', '{"name":"bob","city":"Oslo"}', '{"name":"cid","city":"Rome"}');
  await test.logs.createLogGroup({ logGroupName: 'rare', logGroupClass: 'INFREQUENT_ACCESS' });
});
afterAll(() => test[Symbol.asyncDispose]());

const start = (queryString: string, more: Partial<StartQueryCommandInput> = {}) =>
  test.logs.startQuery({
    queryLanguage: 'SQL',
    startTime: Math.floor(test.now / 1000) - 3600,
    endTime: Math.floor(test.now / 1000),
    queryString,
    ...more,
  });

/** Returns the results of a query. */
async function answerOf(queryString: string) {
  const { queryId } = await start(queryString);
  for (;;) {
    const answer = await test.logs.getQueryResults({ queryId });
    if (answer.status !== 'Running' && answer.status !== 'Scheduled') return answer;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function rows(queryString: string): Promise<Record<string, string>[]> {
  const { status, results } = await answerOf(queryString);
  expect(status).toBe('Complete');
  return results!.map((row) => Object.fromEntries(row.map(({ field, value }) => [field!, value!])));
}

describe('queries in SQL', () => {
  it('select event fields, filter, sort and limit', async () => {
    expect(await rows("SELECT level, n FROM `app` WHERE level = 'ERROR' ORDER BY n DESC LIMIT 1")).toEqual([
      { level: 'ERROR', n: '4' },
    ]);
    expect(await rows('SELECT `user.name` AS who, n + 1 AS next FROM app WHERE ok')).toEqual([
      { who: 'ann', next: '2' },
    ]);
    expect(await rows('SELECT user.name FROM `app` a WHERE a.ok = FALSE')).toEqual([{ 'user.name': 'bob' }]);
  });

  it('support GROUP BY, aggregates and HAVING', async () => {
    const query = 'SELECT level, COUNT(*) AS total, SUM(n) s FROM `app` WHERE level IS NOT NULL GROUP BY level';
    expect(await rows(`${query} HAVING COUNT(*) > 1`)).toEqual([{ level: 'ERROR', total: '2', s: '6' }]);
    expect(await rows('SELECT COUNT(*) AS total FROM `app`')).toEqual([{ total: '4' }]);
    expect(await rows('SELECT COUNT(*) AS total FROM `app` WHERE absent = 1')).toEqual([{ total: '0' }]);
  });

  it('join groups and read from subqueries', async () => {
    const join = 'SELECT A.n, B.city FROM `app` AS A INNER JOIN `users` AS B ON A.`user.name` = B.name';
    expect(await rows(join)).toEqual([{ n: '2', city: 'Oslo' }]);
    const inner = 'WITH errors AS (SELECT n FROM `app` WHERE level = "ERROR") SELECT MAX(n) AS most FROM errors';
    expect(await rows(inner)).toEqual([{ most: '4' }]);
    const within = "SELECT name FROM `users` WHERE name IN (SELECT `user.name` FROM `app`) AND city LIKE 'O%'";
    expect(await rows(within)).toEqual([{ name: 'bob' }]);
    const several = "SELECT COUNT(*) AS total FROM `logGroups(logGroupIdentifier: ['app', 'users'])`";
    expect(await rows(several)).toEqual([{ total: '6' }]);
    expect(await rows("SELECT COUNT(*) AS total FROM `logGroups(namePrefix: ['us'])`")).toEqual([{ total: '2' }]);
  });

  it('support common event fields, and Spark functions', async () => {
    const last = new Date(test.now).toISOString().replace('T', ' ').slice(0, -1);
    expect(await rows("SELECT `@timestamp`, `@log` FROM `app` WHERE `@message` RLIKE 'plain'")).toEqual([
      { '@timestamp': last, '@log': `${ACCOUNT}:app` },
    ]);
    const functions =
      "SELECT get_json_object(`@message`, '$.user.name') AS who, nvl(Status, 'none') AS s FROM `app` WHERE n = 1";
    expect(await rows(functions)).toEqual([{ who: 'ann', s: 'none' }]);
    expect(await rows('SELECT DISTINCT EXTRACT(YEAR FROM `@timestamp`) AS y FROM `app`')).toEqual([
      { y: String(new Date(test.now).getUTCFullYear()) },
    ]);
  });

  it('select all fields', async () => {
    const all = await rows('SELECT * FROM `users` ORDER BY name');
    expect(all).toHaveLength(2);
    expect(all[0]).toMatchObject({ '@message': '{"name":"bob","city":"Oslo"}', name: 'bob', city: 'Oslo' });
  });

  it('are listed and counted', async () => {
    const { statistics, queryLanguage } = await answerOf('SELECT n FROM `app`');
    expect(queryLanguage).toBe('SQL');
    expect(statistics).toMatchObject({ recordsScanned: 4, logGroupsScanned: 1 });
    const { queries } = await test.logs.describeQueries({ queryLanguage: 'SQL', maxResults: 1 });
    expect(queries).toMatchObject([{ queryString: 'SELECT n FROM `app`', logGroupName: 'app', status: 'Complete' }]);
  });

  it('fail if DuckDB cannot run them', async () => {
    expect((await answerOf('SELECT no_such_function(n) FROM `app`')).status).toBe('Failed');
  });

  it('rejects invalid queries', async () => {
    const refused = (query: string, more?: Partial<StartQueryCommandInput>) => failureOf(start(query, more));
    expect(await refused('DELETE FROM `app`')).toBe("MalformedQueryException: Syntax error at or near 'DELETE'");
    expect(await refused('SELECT 1; DROP TABLE x')).toBe("MalformedQueryException: Syntax error at or near ';'");
    expect(await refused("SELECT 'open FROM `app`")).toBe(
      'MalformedQueryException: Syntax error: a quote is not closed.',
    );
    expect(await refused('SELECT FROM WHERE')).toMatch(/^MalformedQueryException: /);
    expect(await refused('SELECT 1')).toBe('MalformedQueryException: A query must read from a log group.');
    expect(await refused('SELECT n FROM `absent`')).toMatch(/^ResourceNotFoundException: Log group 'absent'/);
    expect(await refused("SELECT * FROM read_csv('/etc/passwd')")).toMatch(/^ResourceNotFoundException/);
    expect(await refused('SELECT n FROM `rare`')).toBe(
      'MalformedQueryException: SQL is supported only for log groups of the STANDARD log class',
    );
    expect(await refused('SELECT n FROM `app`', { logGroupName: 'app' })).toBe(
      'InvalidParameterException: Log groups of SQL queries must be specified in the query string.',
    );
    expect(await refused('source = app', { queryLanguage: 'PPL', logGroupName: 'app' })).toBe(
      'NotImplemented: emu does not implement the query language PPL of StartQuery.',
    );
  });

  it('can be stopped', async () => {
    const many = Array.from({ length: 30 }, (_, n) => `app a${n}`);
    const { queryId } = await start(`SELECT COUNT(*) FROM ${many.join(', ')}`);
    expect((await test.logs.stopQuery({ queryId })).success).toBe(true);
    expect((await test.logs.getQueryResults({ queryId })).status).toBe('Cancelled');
  });
});

describe('translations', () => {
  it('leave texts and comments unchanged', () => {
    const { sql, tables, columns } = translate('SELECT a, "x \\"y\\" `z`" AS t -- FROM `b`\nFROM `g`');
    expect(sql).toBe(`SELECT a , 'x "y" \`z\`' AS t FROM "g"`);
    expect([tables, columns]).toEqual([['g'], ['a']]);
  });
});
