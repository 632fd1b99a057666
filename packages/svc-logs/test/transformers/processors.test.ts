import type { Processor } from '@aws-sdk/client-cloudwatch-logs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT, failureOf, groupArn, type LogsTest, startLogs } from '../support.ts';

// Examples are from "Processors that you can use" of the user guide, where available.

let test: LogsTest;
beforeAll(async () => {
  test = await startLogs();
});
afterAll(() => test[Symbol.asyncDispose]());

const json = { parseJSON: {} };

/** Applies processors to a message; undefined if they cannot transform it. */
async function transformed(transformerConfig: Processor[], message: string | object): Promise<unknown> {
  const eventMessage = typeof message === 'string' ? message : JSON.stringify(message);
  const { transformedLogs } = await test.logs.testTransformer({ transformerConfig, logEventMessages: [eventMessage] });
  const [log] = transformedLogs!;
  expect(log).toMatchObject({ eventNumber: 1, eventMessage });
  return log!.transformedEventMessage && JSON.parse(log!.transformedEventMessage);
}

const nested = { outer_key: { inner_key: 'inner_value' } };
const list = {
  outer_key: [
    { inner_key: 'a', inner_value: 'val-a' },
    { inner_key: 'b', inner_value: 'val-b1' },
    { inner_key: 'b', inner_value: 'val-b2' },
  ],
};
const toMap = { source: 'outer_key', key: 'inner_key', valueKey: 'inner_value' };

describe('processors', () => {
  it.each<[string, Processor[], string | object, unknown]>([
    ['parseJSON', [{ parseJSON: { destination: 'new_key' } }], nested, { new_key: nested }],
    [
      'csv',
      [{ csv: { delimiter: ':', quoteCharacter: "'" } }],
      "'Akua Mansa':28:'New York: USA'",
      { column_1: 'Akua Mansa', column_2: '28', column_3: 'New York: USA' },
    ],
    [
      'csv of a field',
      [
        json,
        {
          csv: {
            source: 'logMsg',
            delimiter: ':',
            quoteCharacter: "'",
            columns: ['name', 'age', 'location'],
            destination: 'msg',
          },
        },
      ],
      { type: 'user_data', logMsg: "'Akua Mansa':28:'New York: USA'" },
      {
        type: 'user_data',
        logMsg: "'Akua Mansa':28:'New York: USA'",
        msg: { name: 'Akua Mansa', age: '28', location: 'New York: USA' },
      },
    ],
    ['csv by tabs', [{ csv: { delimiter: '\\t' } }], 'a\tb', { column_1: 'a', column_2: 'b' }],
    [
      'parseKeyValue',
      [
        {
          parseKeyValue: {
            destination: 'new_key',
            fieldDelimiter: '!',
            keyValueDelimiter: ':',
            nonMatchValue: 'defaultValue',
            keyPrefix: 'parsed_',
          },
        },
      ],
      'key1:value1!key2:value2!key4',
      { new_key: { parsed_key1: 'value1', parsed_key2: 'value2', parsed_key4: 'defaultValue' } },
    ],
    [
      'parsePostgres',
      [{ parsePostgres: {} }],
      '2019-03-10 03:54:59 UTC:10.0.0.123(52834):postgres@logtestdb:[20175]:ERROR: column "wrong_column_name" does not exist at character 8',
      {
        logTime: '2019-03-10 03:54:59 UTC',
        srcIp: '10.0.0.123(52834)',
        userName: 'postgres',
        dbName: 'logtestdb',
        processId: '20175',
        logLevel: 'ERROR',
      },
    ],
    [
      'parseRoute53',
      [{ parseRoute53: {} }],
      '1.0 2017-12-13T08:15:50.235Z Z123412341234 example.com AAAA NOERROR TCP IAD12 192.0.2.0 198.51.100.0/24',
      {
        version: 1,
        queryTimestamp: '2017-12-13T08:15:50.235Z',
        hostZoneId: 'Z123412341234',
        queryName: 'example.com',
        queryType: 'AAAA',
        responseCode: 'NOERROR',
        protocol: 'TCP',
        edgeLocation: 'IAD12',
        resolverIp: '192.0.2.0',
        ednsClientSubnet: '198.51.100.0/24',
      },
    ],
    [
      'parseVPC',
      [{ parseVPC: {} }],
      '2 123456789010 eni-abc123de 192.0.2.0 192.0.2.24 20641 22 6 20 4249 1418530010 1418530070 ACCEPT OK',
      {
        version: 2,
        accountId: '123456789010',
        interfaceId: 'eni-abc123de',
        srcAddr: '192.0.2.0',
        dstAddr: '192.0.2.24',
        srcPort: 20641,
        dstPort: 22,
        protocol: 6,
        packets: 20,
        bytes: 4249,
        start: 1418530010,
        end: 1418530070,
        action: 'ACCEPT',
        logStatus: 'OK',
      },
    ],
    [
      'parseWAF',
      [{ parseWAF: {} }],
      {
        action: 'BLOCK',
        httpRequest: { uri: '/', headers: [{ name: 'Host', value: 'a' }] },
        labels: [{ name: 'value' }],
      },
      { action: 'BLOCK', httpRequest: { uri: '/', headers: { Host: 'a' } }, labels: { name: 'value' } },
    ],
    [
      'addKeys',
      [json, { addKeys: { entries: [{ key: 'outer_key.new_key', value: 'new_value' }] } }],
      nested,
      { outer_key: { inner_key: 'inner_value', new_key: 'new_value' } },
    ],
    [
      'addKeys without overwriting',
      [json, { addKeys: { entries: [{ key: 'outer_key.inner_key', value: 'x' }] } }],
      nested,
      nested,
    ],
    ['deleteKeys', [json, { deleteKeys: { withKeys: ['outer_key.inner_key'] } }], nested, { outer_key: {} }],
    [
      'moveKeys',
      [json, { moveKeys: { entries: [{ source: 'outer_key1.inner_key1', target: 'outer_key2' }] } }],
      { outer_key1: { inner_key1: 'inner_value1' }, outer_key2: { inner_key2: 'inner_value2' } },
      { outer_key1: {}, outer_key2: { inner_key2: 'inner_value2', inner_key1: 'inner_value1' } },
    ],
    [
      'renameKeys',
      [json, { renameKeys: { entries: [{ key: 'outer_key', renameTo: 'new_key' }] } }],
      nested,
      { new_key: nested.outer_key },
    ],
    [
      'copyValue',
      [
        json,
        {
          copyValue: {
            entries: [
              { source: 'outer_key.inner_key', target: 'new_key' },
              { source: '@accountId', target: 'account_id' },
              { source: '@regionName', target: 'region_name' },
            ],
          },
        },
      ],
      nested,
      { ...nested, new_key: 'inner_value', account_id: ACCOUNT, region_name: 'us-east-1' },
    ],
    [
      'listToMap',
      [json, { listToMap: { ...toMap, flatten: false } }],
      list,
      { ...list, a: ['val-a'], b: ['val-b1', 'val-b2'] },
    ],
    [
      'listToMap, first',
      [json, { listToMap: { ...toMap, flatten: true, flattenedElement: 'first' } }],
      list,
      { ...list, a: 'val-a', b: 'val-b1' },
    ],
    [
      'listToMap, last',
      [json, { listToMap: { ...toMap, target: 't', flatten: true, flattenedElement: 'last' } }],
      list,
      { ...list, t: { a: 'val-a', b: 'val-b2' } },
    ],
    ['lowerCaseString', [json, { lowerCaseString: { withKeys: ['a'] } }], { a: 'XY' }, { a: 'xy' }],
    ['upperCaseString', [json, { upperCaseString: { withKeys: ['a', 'b'] } }], { a: 'xy', b: 1 }, { a: 'XY', b: 1 }],
    ['trimString', [json, { trimString: { withKeys: ['a'] } }], { a: '  x ' }, { a: 'x' }],
    [
      'splitString',
      [json, { splitString: { entries: [{ source: 'a', delimiter: ', ' }] } }],
      { a: 'i1, i2' },
      { a: ['i1', 'i2'] },
    ],
    [
      'substituteString',
      [
        json,
        {
          substituteString: {
            entries: [
              { source: 'k1', from: '(\\w+), (\\w+), and (\\w+)', to: '$1 and $3' },
              {
                source: 'k2',
                from: '^arn:aws:sts::(?P<account_id>\\d{12}):assumed-role/(?P<role_name>[\\w+=,.@-]+)/(?P<role_session_name>[\\w+=,.@-]+)$',
                to: ['account_id', 'role_name', 'role_session_name'].map((name) => `\${${name}}`).join(':'),
              },
              { source: 'k3', from: 'cat', to: 'dog' },
            ],
          },
        },
      ],
      {
        k1: 'Tom, Dick, and Harry',
        k2: 'arn:aws:sts::123456789012:assumed-role/MyRole/MySession',
        k3: 'A cat takes a catnap.',
      },
      { k1: 'Tom and Harry', k2: '123456789012:MyRole:MySession', k3: 'A dog takes a dognap.' },
    ],
    [
      'typeConverter',
      [
        json,
        {
          typeConverter: {
            entries: [
              { key: 'status', type: 'integer' },
              { key: 'd', type: 'double' },
              { key: 'b', type: 'boolean' },
              { key: 's', type: 'string' },
              { key: 'name', type: 'integer' },
            ],
          },
        },
      ],
      { name: 'value', status: '200', d: '1.5', b: 'true', s: 7 },
      { name: 'value', status: 200, d: 1.5, b: true, s: '7' },
    ],
    [
      'dateTimeConverter',
      [
        json,
        {
          dateTimeConverter: {
            source: 'german_datetime',
            target: 'target_1',
            locale: 'de',
            matchPatterns: ['yyyy', 'EEEE dd. MMMM yyyy HH:mm:ss'],
            sourceTimezone: 'Europe/Berlin',
            targetTimezone: 'America/New_York',
            targetFormat: "yyyy-MM-dd'T'HH:mm:ssXXX",
          },
        },
      ],
      { german_datetime: 'Samstag 05. Dezember 1998 11:00:00' },
      { german_datetime: 'Samstag 05. Dezember 1998 11:00:00', target_1: '1998-12-05T05:00:00-05:00' },
    ],
    ['an event with invalid JSON', [json], 'text', undefined],
    ['a grok that does not match', [{ grok: { match: '%{INT:a}' } }], 'text', undefined],
  ])('%s', async (_name, config, message, expected) => {
    expect(await transformed(config, message)).toEqual(expected);
  });

  it('parseCloudfront', async () => {
    const message =
      '2019-12-04\t21:02:31\tLAX1\t392\t192.0.2.24\tGET\td111111abcdef8.cloudfront.net\t/index.html\t200\t-\tMozilla/5.0%20(Windows)\t-\t-\tHit\tSOX4==\td111111abcdef8.cloudfront.net\thttps\t23\t0.001\t-\tTLSv1.2\tECDHE-RSA-AES128-GCM-SHA256\tHit\tHTTP/2.0\t-\t-\t11040\t0.001\tHit\ttext/html\t78\t-\t-';
    expect(await transformed([{ parseCloudfront: {} }], message)).toMatchObject({
      date: '2019-12-04',
      'sc-bytes': 392,
      'c-ip': '192.0.2.24',
      'cs(User-Agent)': 'Mozilla/5.0 (Windows)',
      'time-taken': 0.001,
      'c-port': 11040,
      'sc-content-len': 78,
      'sc-range-end': '-',
    });
  });
});

describe('grok', () => {
  it.each<[string, string, unknown]>([
    [
      '%{NUMBER:version} %{HOSTNAME:hostname} %{NOTSPACE:status} %{QUOTEDSTRING:logMsg}',
      '293750 server-01.internal-network.local OK "[Thread-000] token generated"',
      {
        version: '293750',
        hostname: 'server-01.internal-network.local',
        status: 'OK',
        logMsg: '[Thread-000] token generated',
      },
    ],
    [
      '%{NUMBER:timestamp} [%{NUMBER:db} %{IP:client_ip}:%{NUMBER:client_port}] %{GREEDYDATA:data}',
      '1629860738.123456 [0 127.0.0.1:6379] "SET" "key1" "value1"',
      {
        timestamp: '1629860738.123456',
        db: '0',
        client_ip: '127.0.0.1',
        client_port: '6379',
        data: '"SET" "key1" "value1"',
      },
    ],
    [
      '%{IP:client.ip} %{WORD:method} %{URIPATHPARAM:request.uri} %{NUMBER:response.status} %{NUMBER:response.bytes}',
      '192.168.1.1 GET /index.html?param=value 200 1234',
      {
        client: { ip: '192.168.1.1' },
        method: 'GET',
        request: { uri: '/index.html?param=value' },
        response: { status: '200', bytes: '1234' },
      },
    ],
    [
      '%{HTTPDATE:timestamp} %{IPORHOST:clientip} %{NUMBER:response_status}',
      '23/Nov/2024:10:25:15 -0900 172.16.0.1 200',
      { timestamp: '23/Nov/2024:10:25:15 -0900', clientip: '172.16.0.1', response_status: '200' },
    ],
    ['%{DATA:x} %{DATA:y}', 'abc def ghi', { x: 'abc', y: 'def ghi' }],
    ['%{GREEDYDATA:x} %{GREEDYDATA:y}', 'abc def ghi', { x: 'abc def', y: 'ghi' }],
    ['%{GREEDYDATA_MULTILINE:data}', 'abc\ndef', { data: 'abc\ndef' }],
    ['%{BASE16NUM:num}', '+0xA1B2', { num: '+0xA1B2' }],
    ['%{UUID:id}', '550e8400-e29b-41d4-a716-446655440000', { id: '550e8400-e29b-41d4-a716-446655440000' }],
    [
      '%{ARN:arn}',
      'arn:aws:iam:us-east-1:123456789012:user/johndoe',
      { arn: 'arn:aws:iam:us-east-1:123456789012:user/johndoe' },
    ],
    ['%{MAC:m1}', '01:23:45:67:89:AB', { m1: '01:23:45:67:89:AB' }],
    ['%{IPORHOST:ip}', '2001:db8:3333:4444:5555:6666:7777:8888', { ip: '2001:db8:3333:4444:5555:6666:7777:8888' }],
    ['%{HOSTPORT:ip}', '192.168.1.1:8080', { ip: '192.168.1.1:8080', PORT: '8080' }],
    [
      '%{URIHOST:host} %{URIHOST:ip}',
      'example.com:443 10.0.0.1',
      { host: 'example.com:443', port: '443', ip: '10.0.0.1' },
    ],
    ['%{WINPATH:path}', 'C:\\Users\\John\\file.txt', { path: 'C:\\Users\\John\\file.txt' }],
    ['%{URI:uri}', 'https://user:password@example.com/path?p=1', { uri: 'https://user:password@example.com/path?p=1' }],
    ['%{TIMESTAMP_ISO8601:t}', '2023-05-15T14:30:00+05:30', { t: '2023-05-15T14:30:00+05:30' }],
    ['%{TIMESTAMP_ISO8601:t}', '23-5-1T1:25Z', { t: '23-5-1T1:25Z' }],
    ['%{DATESTAMP:t}', '29-11-2024 14:30:00', { t: '29-11-2024 14:30:00' }],
    ['%{DATESTAMP_RFC822:t}', 'Mon January 15 2023 14:30:00 PST', { t: 'Mon January 15 2023 14:30:00 PST' }],
    ['%{DATESTAMP_RFC2822:t}', 'Mon, 15 May 2023 14:30:00 +0530', { t: 'Mon, 15 May 2023 14:30:00 +0530' }],
    ['%{DATESTAMP_OTHER:t}', 'Mon May 15 14:30:00 PST 2023', { t: 'Mon May 15 14:30:00 PST 2023' }],
    ['%{DATESTAMP_EVENTLOG:t}', '20230515143000', { t: '20230515143000' }],
    ['%{LOGLEVEL:l} %{SYSLOGTIMESTAMP:t}', 'WARNING Nov 29 14:30:00', { l: 'WARNING', t: 'Nov 29 14:30:00' }],
    [
      '%{SYSLOGPROG:p}',
      'user.profile/settings-page[1234]',
      { p: 'user.profile/settings-page[1234]', program: 'user.profile/settings-page', pid: '1234' },
    ],
    ['%{SYSLOGFACILITY:s}', '<13.6>', { s: '<13.6>', facility: '13', priority: '6' }],
    [
      '%{APACHE_ACCESS_LOG}',
      '127.0.0.1 - - [03/Aug/2023:12:34:56 +0000] "GET /page.html HTTP/1.1" 200 1234',
      {
        request: '/page.html',
        http_method: 'GET',
        status_code: 200,
        http_version: '1.1',
        response_size: 1234,
        remote_host: '127.0.0.1',
        timestamp: '2023-08-03T12:34:56Z',
      },
    ],
    [
      '%{NGINX_ACCESS_LOG}',
      '192.168.1.100 - Foo [03/Aug/2023:12:34:56 +0000] "GET /account/login.html HTTP/1.1" 200 42 "https://www.amazon.com/" "Mozilla/5.0"',
      {
        request: '/account/login.html',
        referrer: 'https://www.amazon.com/',
        agent: 'Mozilla/5.0',
        http_method: 'GET',
        status_code: 200,
        auth_user: 'Foo',
        http_version: '1.1',
        response_size: 42,
        remote_host: '192.168.1.100',
        timestamp: '2023-08-03T12:34:56Z',
      },
    ],
    [
      '%{SYSLOG5424}',
      '<165>1 2003-10-11T22:14:15.003Z mymachine.example.com evntslog - ID47 [exampleSDID@32473 iut="3" eventSource= "Application" eventID="1011"][examplePriority@32473 class="high"]',
      {
        pri: 165,
        version: 1,
        timestamp: '2003-10-11T22:14:15.003Z',
        hostname: 'mymachine.example.com',
        app: 'evntslog',
        msg_id: 'ID47',
        structured_data: 'exampleSDID@32473 iut="3" eventSource= "Application" eventID="1011"',
        message: '[examplePriority@32473 class="high"]',
      },
    ],
  ])('%s', async (match, message, expected) => {
    expect(await transformed([{ grok: { match } }], message)).toEqual(expected);
  });

  it('of a field', async () => {
    const config = [
      json,
      { grok: { source: 'logMsg', match: '%{WORD:http_method} %{NOTSPACE:request} HTTP/%{NUMBER:http_version}' } },
    ];
    expect(await transformed(config, { logMsg: 'GET /page.html HTTP/1.1' })).toEqual({
      logMsg: 'GET /page.html HTTP/1.1',
      http_method: 'GET',
      request: '/page.html',
      http_version: '1.1',
    });
  });
});

describe('transformers', () => {
  it.each<[Processor[], string]>([
    [[{}], 'Each item of a transformer configuration must have exactly one processor.'],
    [[{ deleteKeys: { withKeys: ['a'] } }], 'The first processor of a transformer must be a parser.'],
    [[json, { parseVPC: {} }], 'The processor parseVPC must be the first one of a transformer.'],
    [[{ parseVPC: { source: 'a' } }], 'The processor parseVPC accepts only @message as its source.'],
    [[{ grok: { match: '%{NONE:a}' } }], 'Unknown grok pattern: NONE'],
    [[{ grok: { match: 'text' } }], 'The match of grok needs a pattern.'],
    [[{ grok: { match: '%{IP:a} '.repeat(6) } }], 'The grok pattern IP can be used at most 5 times.'],
    [
      [{ grok: { match: '%{GREEDYDATA:logMsg} %{SYSLOG5424}' } }],
      'Only one DATA, GREEDYDATA or GREEDYDATA_MULTILINE may follow the pattern of a log format.',
    ],
    [[json, { listToMap: { ...toMap, flatten: true } }], 'flattenedElement is required where flatten is true.'],
    [
      [json, { trimString: { withKeys: ['a'] } }, { moveKeys: { entries: [{ source: 'a.b.c.d', target: 'e' }] } }],
      'The key a.b.c.d is nested deeper than 3 levels.',
    ],
  ])('rejects %j', async (transformerConfig, message) => {
    await test.logs.createLogGroup({ logGroupName: 'refused' }).catch(() => undefined);
    const requests = [
      test.logs.testTransformer({ transformerConfig, logEventMessages: ['x'] }),
      test.logs.putTransformer({ logGroupIdentifier: 'refused', transformerConfig }),
    ];
    for (const request of requests) expect(await failureOf(request)).toBe(`InvalidParameterException: ${message}`);
    expect((await test.logs.getTransformer({ logGroupIdentifier: 'refused' })).transformerConfig).toBeUndefined();
  });

  it('apply at ingestion and in queries; original events stay unchanged', async () => {
    const { logs } = test;
    const logGroupIdentifier = await test.group('app', 'one');
    const transformerConfig = [
      { csv: { columns: ['level', 'user'] } },
      {
        copyValue: {
          entries: [
            { source: '@logGroupName', target: 'group' },
            { source: '@logGroupStream', target: 'stream' },
          ],
        },
      },
    ];
    await test.put('app', 'one', 'INFO,before');
    await logs.putTransformer({ logGroupIdentifier, transformerConfig });
    expect(await logs.getTransformer({ logGroupIdentifier })).toMatchObject({
      logGroupIdentifier: groupArn('app'),
      creationTime: test.now,
      lastModifiedTime: test.now,
      transformerConfig,
    });
    await test.put('app', 'one', 'ERROR,ann', 'INFO,bob');
    const seconds = Math.floor(test.now / 1000);
    const { queryId } = await logs.startQuery({
      logGroupName: 'app',
      startTime: seconds - 60,
      endTime: seconds,
      queryString: 'fields user, group, stream, @message | filter level = "ERROR"',
    });
    await expect.poll(async () => (await logs.getQueryResults({ queryId })).status).toBe('Complete');
    const { results } = await logs.getQueryResults({ queryId });
    expect(results!.map((row) => row.slice(0, 4).map(({ value }) => value))).toEqual([
      ['ann', 'app', 'one', 'ERROR,ann'],
    ]);
    const { events } = await logs.getLogEvents({ logGroupName: 'app', logStreamName: 'one', startFromHead: true });
    expect(events!.map(({ message }) => message)).toEqual(
      expect.arrayContaining(['INFO,before', 'ERROR,ann', 'INFO,bob']),
    );
    await logs.deleteTransformer({ logGroupIdentifier });
    expect((await logs.getTransformer({ logGroupIdentifier })).transformerConfig).toBeUndefined();
    expect(await failureOf(logs.getTransformer({ logGroupIdentifier: 'none' }))).toBe(
      'ResourceNotFoundException: The specified log group does not exist.',
    );
  });
});
