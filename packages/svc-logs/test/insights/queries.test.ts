import type { GetQueryResultsCommandOutput, StartQueryCommandInput } from '@aws-sdk/client-cloudwatch-logs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Queries } from '../../src/insights/queries/queries.ts';
import { ACCOUNT, failureOf, groupArn, type LogsTest, startLogs } from '../support.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('queries', () => {
  let test: LogsTest;
  beforeAll(async () => {
    test = await startLogs();
    await test.group('app', 'one', 'two');
    await test.put('app', 'one', '{"level":"INFO","n":1}', '{"level":"ERROR","n":2}');
    await test.put('app', 'two', 'plain ERROR');
    await test.group('other', 'one');
    await test.put('other', 'one', '{"level":"ERROR","n":7}');
  });
  afterAll(() => test[Symbol.asyncDispose]());

  const hour = (): Pick<StartQueryCommandInput, 'startTime' | 'endTime'> => ({
    startTime: Math.floor(test.now / 1000) - 3600,
    endTime: Math.floor(test.now / 1000),
  });

  /** Starts a query and waits for its end. */
  async function run(input: Partial<StartQueryCommandInput>): Promise<GetQueryResultsCommandOutput> {
    const { queryId } = await test.logs.startQuery({ ...hour(), queryString: '', ...input });
    for (;;) {
      const answer = await test.logs.getQueryResults({ queryId });
      if (answer.status !== 'Running') return answer;
      // In-process responses arrive without an event loop turn, which the query needs.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  const rowsOf = ({ results }: GetQueryResultsCommandOutput) =>
    results!.map((row) => Object.fromEntries(row.map(({ field, value }) => [field!, value!])));

  it('query the events of a group and return statistics', async () => {
    const answer = await run({ logGroupName: 'app', queryString: 'fields n, @log | filter level = "ERROR"' });
    expect(rowsOf(answer)).toEqual([{ n: '2', '@log': `${ACCOUNT}:app`, '@ptr': expect.any(String) }]);
    expect(answer).toMatchObject({
      queryLanguage: 'CWLI',
      status: 'Complete',
      statistics: {
        recordsMatched: 1,
        recordsScanned: 3,
        estimatedRecordsSkipped: 0,
        estimatedBytesSkipped: 0,
        logGroupsScanned: 1,
      },
    });
    expect(answer.statistics!.bytesScanned).toBeGreaterThan(50);
  });

  it('query several groups, by name, ARN or SOURCE', async () => {
    const queryString = 'filter level = "ERROR" | stats sum(n) as total';
    expect(rowsOf(await run({ logGroupNames: ['app', 'other'], queryString }))).toEqual([{ total: '9' }]);
    expect(rowsOf(await run({ logGroupIdentifiers: [groupArn('other')], queryString }))).toEqual([{ total: '7' }]);
    const source = `SOURCE logGroups(namePrefix: ['oth']) | ${queryString}`;
    expect(rowsOf(await run({ queryString: source }))).toEqual([{ total: '7' }]);
  });

  // Examples are from "join" and "subqueries" of the user guide.
  describe('over other groups', () => {
    beforeAll(async () => {
      await test.group('api', 's');
      await test.put('api', 's', '{"id":"a","status":500}', '{"id":"b","status":502}', '{"id":"c","status":200}');
      await test.group('function', 's');
      await test.put(
        'function',
        's',
        '{"id":"a","ms":5,"user":{"name":"ann"}}',
        '{"id":"a","ms":7}',
        '{"id":"c","ms":9}',
      );
    });
    const answer = async (queryString: string) => rowsOf(await run({ logGroupName: 'api', queryString }));

    it('an inner join returns a row per match, with the fields of both sides', async () => {
      const query = `filter status >= 500 | join type=inner left=api right=lambda where api.id=lambda.id (SOURCE 'function')
        | fields api.id, api.status, lambda.ms, lambda.user.name, @log | sort lambda.ms desc`;
      expect(await answer(query)).toEqual([
        { 'api.id': 'a', 'api.status': '500', 'lambda.ms': '7', '@log': `${ACCOUNT}:api` },
        { 'api.id': 'a', 'api.status': '500', 'lambda.ms': '5', 'lambda.user.name': 'ann', '@log': `${ACCOUNT}:api` },
      ]);
    });

    it('a left join keeps rows without a match; the right side may be query results', async () => {
      const query = `join type=left left=l right=r where l.id=r.id (SOURCE 'function' | stats max(ms) as most by id)
        | filter not ispresent(r.most) or r.most > 7 | fields l.id, r.most, r.ms | sort l.id`;
      expect(await answer(query)).toEqual([{ 'l.id': 'b' }, { 'l.id': 'c', 'r.most': '9' }]);
    });

    it('a join returns the columns of both sides, and can be counted', async () => {
      const join = "fields id | join left=l right=r where r.id=l.id (SOURCE 'function' | fields id, ms)";
      expect(await answer(`${join} | limit 1`)).toEqual([{ 'l.id': 'c', 'r.id': 'c', 'r.ms': '9' }]);
      expect(await answer(`${join} | stats sum(r.ms) as total by l.id | sort total`)).toEqual([
        { 'l.id': 'c', total: '9' },
        { 'l.id': 'a', total: '12' },
      ]);
    });

    it('a subquery in a filter runs first', async () => {
      const frequent = "SOURCE 'function' | stats count(*) as n by id | filter n > 1 | fields id";
      expect(await answer(`filter id in (${frequent}) | display status`)).toMatchObject([{ status: '500' }]);
      expect(await answer(`filter id not in (${frequent}) and status > 500 | display id`)).toMatchObject([{ id: 'b' }]);
      expect(await answer('filter id in (filter status = 200 | fields id) | display id')).toMatchObject([{ id: 'c' }]);
      const both = await run({ logGroupName: 'api', queryString: `filter id in (${frequent})` });
      expect(both.statistics).toMatchObject({ recordsMatched: 1, recordsScanned: 6, logGroupsScanned: 2 });
    });

    it.each([
      ["filter id in (SOURCE 'function' | fields ms)", 'The subquery must return the field id'],
      ["filter id in (SOURCE 'function')", 'The subquery must return the field id'],
      [
        "filter id in (SOURCE 'function' | filter id in (SOURCE 'api' | fields id) | fields id)",
        'Nested subqueries are not supported',
      ],
      ["join left=a right=a where a.id=a.id (SOURCE 'function')", 'The aliases of a join must be different'],
      [
        "join left=a right=b where a.id=c.id (SOURCE 'function')",
        'The condition of a join must compare a field of each of its aliases',
      ],
    ])('%s', async (queryString, message) => {
      expect(await failureOf(run({ logGroupName: 'api', queryString }))).toBe(`MalformedQueryException: ${message}`);
    });

    it('rejects missing groups in nested queries', async () => {
      const query = "join left=a right=b where a.id=b.id (SOURCE 'missing')";
      expect(await failureOf(run({ logGroupName: 'api', queryString: query }))).toContain('ResourceNotFoundException');
    });
  });

  it('skip events that cannot match, but count them', async () => {
    const answer = await run({ logGroupName: 'app', queryString: 'filter @message like "plain"' });
    expect(rowsOf(answer)).toEqual([expect.objectContaining({ '@message': 'plain ERROR' })]);
    expect(answer.statistics).toMatchObject({ recordsScanned: 3, recordsMatched: 1 });
  });

  it('filterIndex scans only groups with an index on the field', async () => {
    const queryString = "filterIndex level = 'ERROR' | stats sum(n) as total";
    const names = { logGroupNames: ['app', 'other'], queryString };
    const none = await run(names);
    expect([rowsOf(none), none.statistics!.logGroupsScanned, none.statistics!.estimatedRecordsSkipped]).toEqual([
      [],
      0,
      4,
    ]);
    await test.logs.putIndexPolicy({ logGroupIdentifier: 'other', policyDocument: '{"Fields":["level"]}' });
    const one = await run(names);
    expect([rowsOf(one), one.statistics!.logGroupsScanned]).toEqual([[{ total: '7' }], 1]);
  });

  it('page and limit results', async () => {
    const { queryId } = await test.logs.startQuery({ ...hour(), logGroupName: 'app', queryString: '', limit: 2 });
    await expect.poll(async () => (await test.logs.getQueryResults({ queryId })).status).toBe('Complete');
    const first = await test.logs.getQueryResults({ queryId, maxItems: 1 });
    const second = await test.logs.getQueryResults({ queryId, maxItems: 1, nextToken: first.nextToken });
    expect([first.results, second.results].map((results) => results!.length)).toEqual([1, 1]);
    expect(second.nextToken).toBeUndefined();
  });

  it('a pointer returns the complete record', async () => {
    const [row] = rowsOf(await run({ logGroupName: 'app', queryString: 'filter n = 2' }));
    const { logRecord } = await test.logs.getLogRecord({ logRecordPointer: row!['@ptr'] });
    expect(logRecord).toEqual({
      '@ptr': row!['@ptr'],
      '@log': `${ACCOUNT}:app`,
      '@logStream': 'one',
      '@message': '{"level":"ERROR","n":2}',
      '@timestamp': String(test.now),
      '@ingestionTime': String(test.now),
      level: 'ERROR',
      n: '2',
    });
    expect(await failureOf(test.logs.getLogRecord({ logRecordPointer: 'x' }))).toBe(
      'InvalidParameterException: The specified log record pointer is not valid.',
    );
  });

  it('returns the fields of a group with their percentages', async () => {
    const { logGroupFields } = await test.logs.getLogGroupFields({ logGroupName: 'app' });
    expect(logGroupFields).toEqual([
      ...['@ingestionTime', '@log', '@logStream', '@message', '@timestamp'].map((name) => ({ name, percent: 100 })),
      { name: 'level', percent: 67 },
      { name: 'n', percent: 67 },
    ]);
    const { logGroupFields: none } = await test.logs.getLogGroupFields({ logGroupName: 'app', time: 1000 });
    expect(none).toEqual([]);
  });

  it('describes queries as AWS does, with groups and time range', async () => {
    const { startTime, endTime } = hour();
    const { queryId } = await test.logs.startQuery({
      startTime,
      endTime,
      logGroupName: 'other',
      queryString: 'fields @message',
    });
    await expect.poll(async () => (await test.logs.getQueryResults({ queryId })).status).toBe('Complete');
    const { queries } = await test.logs.describeQueries({ logGroupName: 'other', maxResults: 1 });
    expect(queries).toEqual([
      {
        createTime: test.now,
        logGroupName: 'other',
        queryId: expect.stringMatching(UUID),
        queryLanguage: 'CWLI',
        queryString: `SOURCE "other" START=${startTime}000 END=${endTime}999 | fields @message`,
        status: 'Complete',
      },
    ]);
    expect((await test.logs.describeQueries({ status: 'Scheduled' })).queries).toEqual([]);
    expect(await test.logs.listLogGroupsForQuery({ queryId })).toMatchObject({ logGroupIdentifiers: ['other'] });
  });

  it('rejects stopping an ended query', async () => {
    const { queryId } = await test.logs.startQuery({ ...hour(), logGroupName: 'app', queryString: '' });
    await expect.poll(async () => (await test.logs.getQueryResults({ queryId })).status).toBe('Complete');
    expect(await failureOf(test.logs.stopQuery({ queryId }))).toBe(
      'InvalidParameterException: The specified query is not running.',
    );
    expect(await failureOf(test.logs.getQueryResults({ queryId: 'none' }))).toBe(
      'ResourceNotFoundException: Query with ID none does not exist.',
    );
  });

  // https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_StopQuery.html
  it('stops a query that was just started, even if it has ended unseen', async () => {
    const { queryId } = await test.logs.startQuery({ ...hour(), logGroupName: 'app', queryString: '' });
    expect((await test.logs.stopQuery({ queryId: queryId! })).success).toBe(true);
    expect(await test.logs.getQueryResults({ queryId: queryId! })).toMatchObject({ status: 'Cancelled', results: [] });
  });

  it('stops an ended query until a response shows its end, or until AWS would have ended it', async () => {
    const queries = new Queries(test.emulator.kernel.clock);
    const run = async (id: string) => {
      const facts = { id, language: 'CWLI', shown: '', groups: [], createdAt: test.now } as const;
      const query = queries.start(facts, async () => ({ results: [[{ field: 'a', value: '1' }]], matched: 1 }));
      await query.ended;
      return query;
    };
    const [unseen, seen, late] = [await run('1'), await run('2'), await run('3')];
    expect([unseen.stop(test.now), unseen.report(), unseen.results]).toEqual([true, 'Cancelled', []]);
    expect([seen.report(), seen.stop(test.now)]).toEqual(['Complete', false]);
    expect([late.stop(test.now + 60_000), late.report()]).toEqual([false, 'Complete']);
  });

  it('stops a running query, which then has no results', async () => {
    const queries = new Queries(test.emulator.kernel.clock);
    const facts = { id: 'q', language: 'CWLI', shown: '', groups: [], createdAt: test.now } as const;
    const results = [[{ field: 'a', value: '1' }]];
    const query = queries.start(facts, async (_counts, signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return { results, matched: 1 };
    });
    expect([queries.running, query.stop(test.now), query.status, queries.running]).toEqual([1, true, 'Cancelled', 0]);
    await query.ended;
    expect([query.results, query.stop(test.now)]).toEqual([[], false]);
  });

  it('rejects malformed queries with their location', async () => {
    const queryString = 'fields a | filter foo(1)';
    const request = test.logs.startQuery({ ...hour(), logGroupName: 'app', queryString });
    await expect(request).rejects.toMatchObject({
      name: 'MalformedQueryException',
      message: 'unexpected symbol found ( at line 1 and position 21',
      queryCompileError: {
        location: { startCharOffset: 21, endCharOffset: 22 },
        message: 'unexpected symbol found ( at line 1 and position 21',
      },
    });
  });

  it.each<[Partial<StartQueryCommandInput>, string]>([
    [
      { logGroupName: 'app', queryLanguage: 'PPL' },
      'NotImplemented: emu does not implement the query language PPL of StartQuery.',
    ],
    [
      { logGroupName: 'app', queryString: 'anomaly' },
      'NotImplemented: The command anomaly of CloudWatch Logs Insights is not supported.',
    ],
    [
      {},
      'InvalidParameterException: Exactly one of logGroupName, logGroupNames, logGroupIdentifiers or a SOURCE command must specify the log groups.',
    ],
    [
      { logGroupName: 'app', startTime: 2_000_000_000 },
      'InvalidParameterException: The end time of a query must not be before its start time.',
    ],
    [
      { logGroupName: 'app', startTime: 0, endTime: 1, queryString: 'fields a' },
      "MalformedQueryException: Query's end date and time is either before the log groups creation time or exceeds the log groups log retention settings ([0,8])",
    ],
  ])('rejects %j', async (input, failure) => {
    expect(await failureOf(test.logs.startQuery({ ...hour(), queryString: '', ...input }))).toBe(failure);
  });

  it('reports a missing group as AWS does', async () => {
    const failure = await failureOf(test.logs.startQuery({ ...hour(), logGroupName: 'none', queryString: '' }));
    expect(failure).toMatch(
      /^ResourceNotFoundException: Log group 'none' does not exist for account ID '000000000000' \(Service: AWSLogs; Status Code: 400; Error Code: ResourceNotFoundException; Request ID: \S+; Proxy: null\)$/,
    );
  });
});

describe('protected messages', () => {
  it('masks messages, also in filters, and unmasks them on request', async () => {
    await using test = await startLogs();
    const { logs } = test;
    const logGroupName = await test.group('app', 'one');
    const identifier = 'arn:aws:dataprotection::aws:data-identifier/EmailAddress';
    const statement = { DataIdentifier: [identifier] };
    await logs.putDataProtectionPolicy({
      logGroupIdentifier: logGroupName,
      policyDocument: JSON.stringify({
        Name: 'p',
        Version: '2021-06-01',
        Statement: [
          { ...statement, Operation: { Audit: { FindingsDestination: {} } } },
          { ...statement, Operation: { Deidentify: { MaskConfig: {} } } },
        ],
      }),
    });
    await test.put(logGroupName, 'one', '{"mail":"ann@example.com"}');
    const run = async (queryString: string) => {
      const seconds = Math.floor(test.now / 1000);
      const { queryId } = await logs.startQuery({
        logGroupName,
        startTime: seconds - 60,
        endTime: seconds,
        queryString,
      });
      await expect.poll(async () => (await logs.getQueryResults({ queryId })).status).toBe('Complete');
      return (await logs.getQueryResults({ queryId })).results!;
    };
    const [row] = await run('fields mail, unmask(@message)');
    expect(row!.slice(0, 2).map(({ value }) => value)).toEqual(['***************', '{"mail":"ann@example.com"}']);
    expect(await run('filter @message like "ann"')).toEqual([]);
    expect(await run('filter @message like "***"')).toHaveLength(1);
    const [unmasked] = await run('fields @message | unmask @message');
    expect(unmasked![0]!.value).toBe('{"mail":"ann@example.com"}');
  });
});

describe('saved queries', () => {
  it('creates, replaces, lists and deletes saved queries', async () => {
    await using test = await startLogs();
    const { logs } = test;
    const parameters = [{ name: 'level', defaultValue: 'ERROR', description: 'of the events' }];
    const { queryDefinitionId } = await logs.putQueryDefinition({
      name: 'app/errors',
      queryString: 'filter level = "{{level}}"',
      logGroupNames: ['app'],
      parameters,
    });
    await logs.putQueryDefinition({ name: 'b', queryString: 'limit 1' });
    const { queryDefinitions } = await logs.describeQueryDefinitions({ queryDefinitionNamePrefix: 'app/' });
    expect(queryDefinitions).toEqual([
      {
        queryLanguage: 'CWLI',
        queryDefinitionId,
        name: 'app/errors',
        queryString: 'filter level = "{{level}}"',
        lastModified: test.now,
        logGroupNames: ['app'],
        parameters,
      },
    ]);
    await logs.putQueryDefinition({ queryDefinitionId, name: 'app/errors', queryString: 'limit 2' });
    const { queryDefinitions: replaced } = await logs.describeQueryDefinitions({});
    expect(replaced!.map(({ queryString, logGroupNames }) => [queryString, logGroupNames])).toEqual([
      ['limit 2', []],
      ['limit 1', []],
    ]);
    expect(await logs.deleteQueryDefinition({ queryDefinitionId })).toMatchObject({ success: true });
    for (const request of [
      logs.deleteQueryDefinition({ queryDefinitionId }),
      logs.putQueryDefinition({ queryDefinitionId, name: 'a', queryString: 'b' }),
    ])
      expect(await failureOf(request)).toBe(
        'ResourceNotFoundException: The specified query definition does not exist.',
      );
    expect(
      await failureOf(
        logs.putQueryDefinition({ name: 'a', queryString: 'b', parameters: [{ name: 'x' }, { name: 'x' }] }),
      ),
    ).toBe('InvalidParameterException: Query parameters must have different names.');
  });
});

describe('lookup tables', () => {
  it('creates tables from CSV, reads them in queries, replaces and deletes them', async () => {
    await using test = await startLogs();
    const { logs } = test;
    await test.group('app', 'one');
    await test.put('app', 'one', '{"user":"u1"}', '{"user":"u2"}');
    const tableBody = 'id,name\nu1,"Ann, A."\n';
    const { lookupTableArn } = await logs.createLookupTable({ lookupTableName: 'people', tableBody, description: 'd' });
    expect(lookupTableArn).toBe(`arn:aws:logs:us-east-1:${ACCOUNT}:lookup-table:people`);
    const facts = {
      lookupTableArn,
      lookupTableName: 'people',
      description: 'd',
      sizeBytes: 21,
      lastUpdatedTime: test.now,
    };
    expect(await logs.getLookupTable({ lookupTableArn })).toMatchObject({ ...facts, tableBody });
    expect((await logs.describeLookupTables({ lookupTableNamePrefix: 'peo' })).lookupTables).toEqual([
      { ...facts, tableFields: ['id', 'name'], recordsCount: 1 },
    ]);
    const names = async () => {
      const seconds = Math.floor(test.now / 1000);
      const { queryId } = await logs.startQuery({
        logGroupName: 'app',
        startTime: seconds - 60,
        endTime: seconds,
        queryString: 'lookup people id as user OUTPUT name | sort @timestamp | display user, name',
      });
      await expect.poll(async () => (await logs.getQueryResults({ queryId })).status).toBe('Complete');
      const { results } = await logs.getQueryResults({ queryId });
      return results!.map((row) => row.find(({ field }) => field === 'name')?.value);
    };
    expect(await names()).toEqual(['Ann, A.', undefined]);
    await logs.updateLookupTable({ lookupTableArn, tableBody: 'id,name\nu2,Bob' });
    expect(await names()).toEqual([undefined, 'Bob']);
    for (const [body, failure] of [
      ['a,a\n1,2', 'The header row names a column twice.'],
      ['a,b\n1', /^The table body is not valid CSV: /],
    ] as const)
      expect(await failureOf(logs.createLookupTable({ lookupTableName: 'x', tableBody: body }))).toEqual(
        expect.stringMatching(typeof failure === 'string' ? failure : new RegExp(failure.source.slice(1))),
      );
    expect(await failureOf(logs.createLookupTable({ lookupTableName: 'people', tableBody }))).toBe(
      'ResourceAlreadyExistsException: The specified lookup table already exists.',
    );
    await logs.tagResource({ resourceArn: lookupTableArn, tags: { a: 'b' } });
    const { tags } = await logs.listTagsForResource({ resourceArn: lookupTableArn });
    expect(tags).toEqual({ a: 'b' });
    await logs.deleteLookupTable({ lookupTableArn });
    expect(await failureOf(logs.getLookupTable({ lookupTableArn }))).toBe(
      'ResourceNotFoundException: The specified lookup table does not exist.',
    );
  });
});

describe('index policies', () => {
  it('index fields of a group until they or the group are deleted', async () => {
    await using test = await startLogs();
    const { logs } = test;
    const logGroupIdentifier = await test.group('app', 'one');
    const policyDocument = '{"Fields":["requestId"],"FieldsV2":{"user":{"type":"FACET"}}}';
    const { indexPolicy } = await logs.putIndexPolicy({ logGroupIdentifier, policyDocument });
    const described = {
      logGroupIdentifier: groupArn('app'),
      lastUpdateTime: test.now,
      policyDocument,
      source: 'LOG_GROUP',
    };
    expect(indexPolicy).toEqual(described);
    expect((await logs.describeIndexPolicies({ logGroupIdentifiers: ['app'] })).indexPolicies).toEqual([described]);
    await test.put('app', 'one', '{"requestId":"r"}');
    const span = { lastScanTime: test.now, firstEventTime: test.now, lastEventTime: test.now };
    const index = { logGroupIdentifier: groupArn('app'), ...span };
    expect((await logs.describeFieldIndexes({ logGroupIdentifiers: ['app'] })).fieldIndexes).toEqual([
      { ...index, fieldIndexName: 'requestId', type: 'FIELD_INDEX' },
      { ...index, fieldIndexName: 'user', type: 'FACET' },
    ]);
    const { json } = await test.emulator.control('GET', '/_emulator/logs/field-indexes/app');
    expect(json).toEqual({
      logGroupName: 'app',
      fieldIndexes: [
        {
          policyName: '',
          source: 'LOG_GROUP',
          fields: ['requestId', 'user'],
          lastUpdatedAt: new Date(test.now).toISOString(),
        },
      ],
    });
    expect((await test.emulator.control('GET', '/_emulator/logs/field-indexes/none')).status).toBe(404);
    await logs.deleteIndexPolicy({ logGroupIdentifier });
    expect(await failureOf(logs.deleteIndexPolicy({ logGroupIdentifier }))).toBe(
      'ResourceNotFoundException: The specified index policy does not exist.',
    );
    await logs.putIndexPolicy({ logGroupIdentifier, policyDocument });
    await logs.deleteLogGroup({ logGroupName: 'app' });
    await test.group('app');
    expect((await logs.describeIndexPolicies({ logGroupIdentifiers: ['app'] })).indexPolicies).toEqual([]);
    for (const [document, failure] of [
      ['{}', 'An index policy must have between 1 and 20 fields.'],
      ['{"Fields":["@message"]}', 'The field @message cannot be indexed.'],
      [
        JSON.stringify({ Fields: Array.from({ length: 21 }, (_, n) => `f${n}`) }),
        'An index policy must have between 1 and 20 fields.',
      ],
    ] as const)
      expect(await failureOf(logs.putIndexPolicy({ logGroupIdentifier, policyDocument: document }))).toBe(
        `InvalidParameterException: ${failure}`,
      );
  });
});
