import { describe, expect, it } from 'vitest';
import { eventsOf, result, rows } from './support.ts';

// Examples are from "Boolean, comparison, numeric, datetime, and other functions" of the user guide, where available.

describe('functions', () => {
  it.each([
    ['abs(-3)', '3'],
    ['ceil(1.2)', '2'],
    ['floor(-1.2)', '-2'],
    ['greatest(1, 3, 2)', '3'],
    ['least(3, 1, 2)', '1'],
    ['log(1)', '0'],
    ['sqrt(16)', '4'],
    ['round(2.567, 2)', '2.57'],
    ['round(2.5)', '3'],
    ['haversine(0, 0, 0, 1)', '111.1949'],
    ['toNumber("12.50")', '12.5'],
    ['toInt("12.9")', '12'],
    ['toInt("99999999999")', undefined],
    ['toLong("99999999999")', '99999999999'],
    ['toDouble("0.5")', '0.5'],
    ['1 / 0', undefined],
    ['"a" + 1', undefined],
    ['10 / 4', '2.5'],
    ['2 ^ 3', '8'],
    ['10 % 3', '1'],
    ['1 / 3', '0.3333'],
    ['isempty("")', '1'],
    ['isempty(nothing)', '1'],
    ['isblank("  ")', '1'],
    ['isblank("a")', '0'],
    ['concat("a", 1, "b")', 'a1b'],
    ['ltrim("  a ")', 'a '],
    ['ltrim("xyZxyfooxyZ", "xyZ")', 'fooxyZ'],
    ['rtrim("xyZfooxyxyZ", "xyZ")', 'xyZfoo'],
    ['trim("xyZxyfooxyxyZ", "xyZ")', 'foo'],
    ['strlen("añ😀")', '3'],
    ['toupper("ab")', 'AB'],
    ['tolower("AB")', 'ab'],
    ['substr("xyZfooxyZ", 3, 3)', 'foo'],
    ['substr("xyZfooxyZ", 3)', 'fooxyZ'],
    ['replace("foo", "o", "0")', 'f00'],
    ['regexReplace("a1b22", "[0-9]+", "#")', 'a#b#'],
    ['strcontains("abc", "b")', '1'],
    ['strcontains("abc", "B")', '0'],
    ['strcontains("abc", "B", true)', '1'],
    ['startsWith("abc", "ab")', '1'],
    ['endsWith("abc", "ab")', '0'],
    ['urlencode("a b&c")', 'a%20b%26c'],
    ['urldecode("a%20b%26c")', 'a b&c'],
    ['base64encode("hi")', 'aGk='],
    ['base64decode("aGk=")', 'hi'],
    ['split("a,b", ",")', '["a","b"]'],
    ['hexToAscii("48656c6c6f")', 'Hello'],
    ['hexToDec("0xff")', '255'],
    ['decToHex(255)', '0xff'],
    ['decToHex(-255.9)', '-0xff'],
    ['md5("a")', '0cc175b9c0f1b6a831c399e269772661'],
    ['ispresent(nothing)', '0'],
    ['coalesce(nothing, "b")', 'b'],
    ['case(1 = 2, "a", 2 = 2, "b", "c")', 'b'],
    ['case(1 = 2, "a", "c")', 'c'],
    ['if(1 = 2, "a", "b")', 'b'],
    ['isNumeric("1e3")', '1'],
    ['isNumeric("x")', '0'],
    ['messageSize("añ")', '3'],
    ['queryTimeRange()', '3599000'],
    ['now()', '1709636400'],
    ['datefloor(@timestamp, 1h)', '2024-03-05 10:00:00.000'],
    ['dateceil(@timestamp + 1, 1h)', '2024-03-05 11:00:00.000'],
    ['datefloor(@timestamp, 1w)', '2024-03-04 00:00:00.000'],
    ['datefloor(@timestamp, 1mo)', '2024-03-01 00:00:00.000'],
    ['datefloor(@timestamp, 1 quarter)', '2024-01-01 00:00:00.000'],
    ['dateceil(@timestamp, 1mo)', '2024-04-01 00:00:00.000'],
    ['fromMillis(0)', '1970-01-01 00:00:00.000'],
    ['toMillis(@timestamp)', '1709632800000'],
    ['coalesce(nothing, @timestamp)', '1709632800000'],
    ['parseDate("2024-03-05", "yyyy-MM-dd", "UTC")', '1709596800000'],
    ['parseDate("05/Mar/2024 10:00 PM", "dd/MMM/yyyy hh:mm a", "America/New_York")', '1709694000000'],
    ['parseDate("x", "yyyy")', undefined],
    ['formatDate(@timestamp, "%Y-%m-%d %H:%M %Z", "Europe/Berlin")', '2024-03-05 11:00 GMT+1'],
    ['strftime(@timestamp, "%d %b %Y")', '05 Mar 2024'],
    ['isValidIp("::1")', '1'],
    ['isValidIpV4("::1")', '0'],
    ['isValidIpV6("::1")', '1'],
    ['isIpInSubnet("192.0.2.7", "192.0.2.0/24")', '1'],
    ['isIpv4InSubnet("192.0.3.7", "192.0.2.0/24")', '0'],
    ['isIpv6InSubnet("2001:db8::1", "2001:db8::/32")', '1'],
    ['ipv4ToNumber("0.0.1.2")', '258'],
    ['isPrivateIP("10.1.1.1")', '1'],
    ['isPublicIP("8.8.8.8")', '1'],
    ['isReservedIP("127.0.0.1")', '1'],
    ['jsonArraySize("[1,2]")', '2'],
    [`jsonArrayContains('["a"]', "a")`, '1'],
    ['jsonArrayContains("x", "a")', '0'],
    [`jsonStringify(jsonParse('{"a":[1]}').a)`, '[1]'],
    ['toupper(jsonParse("[1]"))', undefined],
    ['sha256("a")', 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb'],
  ])('%s', (expression, expected) => {
    expect(result(expression)).toBe(expected);
  });
});

describe('discovered fields', () => {
  const first = (query: string, message: string | object, name?: string) => rows(query, eventsOf([message], name))[0];

  it('of JSON, with dots in keys, indexes, long numbers, and names with @', () => {
    const message = '{"a.b":{"c":[{"d":1}]},"id":12345678901234567890,"@x":"y","none":null,"text":"{\\"z\\":1}"}';
    expect(first('display a.b.c.0.d, id, @@x, none, `a.b`.c[0].d, text.z, jsonParse(text).z as z', message)).toEqual({
      'a.b.c.0.d': '1',
      id: '12345678901234567890',
      '@@x': 'y',
      z: '1',
    });
  });

  it('at most 200 per event', () => {
    const many = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`key${index}`, index]));
    expect(first('display key199, key200', many)).toEqual({ key199: '199' });
  });

  it('of REPORT lines of functions, and the first JSON fragment in other lines', () => {
    const id = '6ffc8d32-8b4b-4aa7-8d5e-1b0b8b7f5c11';
    const report = `REPORT RequestId: ${id}\tDuration: 102.25 ms\tBilled Duration: 103 ms\tMemory Size: 128 MB\tMax Memory Used: 65 MB\tInit Duration: 140.5 ms\t\n`;
    expect(
      first(
        'display @type, @requestId, @duration, @billedDuration, @memorySize, @maxMemoryUsed, @initDuration',
        report,
      ),
    ).toEqual({
      '@type': 'REPORT',
      '@requestId': id,
      '@duration': '102.25',
      '@billedDuration': '103.0',
      '@memorySize': '1.28E8',
      '@maxMemoryUsed': '6.5E7',
      '@initDuration': '140.5',
    });
    expect(first('stats max(@memorySize / 1000 / 1000) as mb', report)).toEqual({ mb: '128' });
    const line = `2024-03-05T10:00:00.000Z\t${id}\tINFO\tgot {"order":{"id":7}} and {"b":1}`;
    expect(first('display @requestId, order.id, b', line, '/aws/lambda/f')).toEqual({
      '@requestId': id,
      'order.id': '7',
    });
  });

  it('of VPC flow logs and Route 53 queries', () => {
    const flow =
      '2 123456789010 eni-abc123de 172.31.16.139 172.31.16.21 20641 22 6 20 4249 1418530010 1418530070 ACCEPT OK';
    expect(first('display accountId, srcAddr, dstPort, bytes, startTime, action, logStatus', flow)).toEqual({
      accountId: '123456789010',
      srcAddr: '172.31.16.139',
      dstPort: '22',
      bytes: '4249',
      startTime: '1418530010',
      action: 'ACCEPT',
      logStatus: 'OK',
    });
    const query =
      '1.0 2017-12-13T08:15:50.235Z Z123412341234 example.com AAAA NOERROR TCP IAD12 192.0.2.0 198.51.100.0/24';
    expect(first('display queryName, queryType, edgeLocation', query)).toEqual({
      queryName: 'example.com',
      queryType: 'AAAA',
      edgeLocation: 'IAD12',
    });
  });
});
