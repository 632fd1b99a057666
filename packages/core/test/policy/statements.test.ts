// biome-ignore-all lint/suspicious/noTemplateCurlyInString: policies spell their variables so.
import { describe, expect, it } from 'vitest';
import { contextKeysOf, statementPositions } from '../../src/service.ts';
import { ACCOUNT, allow, applies, ask, type Element, JANE, policy, type Question } from './support.ts';

type Row = [what: string, element: Element, question: Omit<Question, 'policies'>, expected: boolean];

describe('actions', () => {
  const rows: Row[] = [
    ['by name', { Action: 'sqs:SendMessage' }, {}, true],
    ['in another case', { Action: 'SQS:sendmessage' }, {}, true],
    ['one of several', { Action: ['s3:Get*', 'sqs:Send*'] }, {}, true],
    ['with ?', { Action: 'sqs:SendMessag?' }, {}, true],
    ['? is one character', { Action: 'sqs:SendMessage?' }, {}, false],
    ['stars in the middle', { Action: 's*:*nd*age' }, {}, true],
    ['another service', { Action: 'sns:*' }, {}, false],
    ['NotAction leaves out', { Action: undefined, NotAction: 'sqs:*' }, {}, false],
    ['NotAction covers the rest', { Action: undefined, NotAction: ['iam:*', 's3:*'] }, {}, true],
    ['an empty list covers nothing', { Action: [] }, {}, false],
  ];
  it.each(rows)('%s', (_what, element, question, expected) => expect(applies(element, question)).toBe(expected));
});

describe('resources', () => {
  const queue = `arn:aws:sqs:us-east-1:${ACCOUNT}:orders`;
  const table = { resource: `arn:aws:dynamodb:us-east-1:${ACCOUNT}:table/jane` };
  const named = { context: { 'aws:username': 'jane' } };
  const rows: Row[] = [
    ['by ARN', { Resource: queue }, {}, true],
    ['with another name', { Resource: `${queue}2` }, {}, false],
    ['in another case', { Resource: queue.toUpperCase() }, {}, false],
    ['of any region', { Resource: `arn:aws:sqs:*:${ACCOUNT}:orders` }, {}, true],
    ['stars stay within their part', { Resource: 'arn:aws:sqs:*:orders' }, {}, false],
    ['parts that are missing are any', { Resource: 'arn:aws:sqs:us-east-1' }, {}, true],
    ['of any name', { Resource: `arn:aws:sqs:us-east-1:${ACCOUNT}:*` }, {}, true],
    ['by prefix', { Resource: `arn:aws:sqs:us-east-1:${ACCOUNT}:ord*` }, {}, true],
    ['by suffix', { Resource: `arn:aws:sqs:us-east-1:${ACCOUNT}:*ers` }, {}, true],
    ['overlapping prefix and suffix', { Resource: `arn:aws:sqs:us-east-1:${ACCOUNT}:order*ders` }, {}, false],
    [
      'slashes and colons in the last part',
      { Resource: 'arn:aws:s3:::b/*' },
      { resource: 'arn:aws:s3:::b/x/y:z' },
      true,
    ],
    ['NotResource leaves out', { Resource: undefined, NotResource: queue }, {}, false],
    ['NotResource covers the rest', { Resource: undefined, NotResource: 'arn:aws:s3:::*' }, {}, true],
    ['no resource at all', { Resource: undefined }, {}, false],
    ['an action without resources needs *', { Resource: queue }, { resource: '*' }, false],
    ['an action without resources by *', {}, { resource: '*' }, true],
    ['a variable', { Resource: 'arn:aws:dynamodb:*:*:table/${aws:username}' }, { ...table, ...named }, true],
    ['a variable without value', { Resource: 'arn:aws:dynamodb:*:*:table/${aws:username}' }, table, false],
    ['a default', { Resource: "arn:aws:dynamodb:*:*:table/${aws:username, 'jane'}" }, table, true],
    [
      'a value wins over the default',
      { Resource: "arn:aws:dynamodb:*:*:table/${aws:username, 'x'}" },
      { ...table, ...named },
      true,
    ],
    [
      'values are no wildcards',
      { Resource: 'arn:aws:dynamodb:*:*:table/${aws:username}' },
      { ...table, context: { 'aws:username': '*' } },
      false,
    ],
    ['${*} is a star', { Resource: 'arn:aws:s3:::b/${*}' }, { resource: 'arn:aws:s3:::b/x' }, false],
    ['${?} and ${$} are themselves', { Resource: 'arn:aws:s3:::b/${?}${$}' }, { resource: 'arn:aws:s3:::b/?$' }, true],
    ['an unfinished variable is text', { Resource: 'arn:aws:s3:::b/${x' }, { resource: 'arn:aws:s3:::b/${x' }, true],
  ];
  it.each(rows)('%s', (_what, element, question, expected) => expect(applies(element, question)).toBe(expected));

  it('has no variables in policies of version 2008-10-17', () => {
    const document = JSON.stringify({ Statement: allow({ Resource: 'arn:aws:s3:::b/${aws:username}' }) });
    const of = (resource: string) =>
      ask({ resource, context: { 'aws:username': 'jane' }, policies: { identity: [{ id: 'p', document }] } }).verdict;
    expect(of('arn:aws:s3:::b/jane')).toBe('implicitDeny');
    expect(of('arn:aws:s3:::b/${aws:username}')).toBe('allowed');
  });

  it('takes limited time for any pattern', () => {
    // Backtracking would take extremely long.
    const resource = `arn:aws:s3:::b/${'a'.repeat(100_000)}`;
    const Resource = `arn:aws:s3:::b/${'*a'.repeat(5000)}*b`;
    expect(applies({ Resource }, { resource })).toBe(false);
    expect(applies({ Resource: `arn:aws:s3:::b/${'*?a'.repeat(3000)}*b` }, { resource })).toBe(false);
  });
});

describe('conditions', () => {
  const when = (operator: string, key: string, value: unknown): Element => ({
    Condition: { [operator]: { [key]: value } },
  });
  const given = (key: string, value: string | string[]) => ({ context: { [key]: value } });
  const team = given('aws:PrincipalTag/team', 'blue');
  const ip = (address: string) => given('aws:SourceIp', address);
  const rows: Row[] = [
    ['StringEquals', when('StringEquals', 'aws:PrincipalTag/Team', 'blue'), team, true],
    ['StringEquals with another case', when('StringEquals', 'aws:PrincipalTag/Team', 'Blue'), team, false],
    ['StringEquals knows no wildcards', when('StringEquals', 'aws:PrincipalTag/team', 'bl*'), team, false],
    ['StringEquals with one of several', when('StringEquals', 'aws:PrincipalTag/team', ['red', 'blue']), team, true],
    ['StringEquals with a missing key', when('StringEquals', 'aws:x', 'blue'), {}, false],
    ['StringNotEquals', when('StringNotEquals', 'aws:PrincipalTag/team', ['red', 'blue']), team, false],
    ['StringNotEquals with a missing key', when('StringNotEquals', 'aws:x', 'blue'), {}, true],
    ['StringEqualsIgnoreCase', when('StringEqualsIgnoreCase', 'aws:PrincipalTag/team', 'BLUE'), team, true],
    ['StringNotEqualsIgnoreCase', when('StringNotEqualsIgnoreCase', 'aws:PrincipalTag/team', 'BLUE'), team, false],
    ['StringLike', when('StringLike', 'aws:PrincipalTag/team', 'b?u*'), team, true],
    ['StringNotLike', when('StringNotLike', 'aws:PrincipalTag/team', 'b*'), team, false],
    ['StringEqualsIfExists', when('StringEqualsIfExists', 'aws:x', 'blue'), {}, true],
    ['StringEqualsIfExists with a value', when('StringEqualsIfExists', 'aws:PrincipalTag/team', 'red'), team, false],
    [
      'a variable',
      when('StringEquals', 'aws:PrincipalTag/team', '${aws:tag}'),
      { context: { ...team.context, 'aws:tag': 'blue' } },
      true,
    ],
    ['NumericEquals', when('NumericEquals', 'n', '10'), given('n', '10.0'), true],
    ['NumericEquals with a number', when('NumericEquals', 'n', 10), given('n', '10'), true],
    ['NumericNotEquals', when('NumericNotEquals', 'n', '10'), given('n', '10'), false],
    ['NumericLessThan', when('NumericLessThan', 'n', '10'), given('n', '9'), true],
    ['NumericLessThanEquals', when('NumericLessThanEquals', 'n', '10'), given('n', '10'), true],
    ['NumericGreaterThan', when('NumericGreaterThan', 'n', '10'), given('n', '9'), false],
    ['NumericGreaterThanEquals', when('NumericGreaterThanEquals', 'n', '-1.5'), given('n', '-1.5'), true],
    ['an invalid number', when('NumericEquals', 'n', 'ten'), given('n', 'ten'), false],
    [
      'DateGreaterThan',
      when('DateGreaterThan', 'aws:CurrentTime', '2020-04-01T00:00:00Z'),
      given('aws:CurrentTime', '2020-04-02T00:00:00Z'),
      true,
    ],
    [
      'DateLessThan',
      when('DateLessThan', 'aws:CurrentTime', '2020-06-30T23:59:59Z'),
      given('aws:CurrentTime', '2020-07-01T00:00:00Z'),
      false,
    ],
    [
      'DateLessThan in seconds',
      when('DateLessThan', 'aws:EpochTime', '1600000000'),
      given('aws:EpochTime', '1500000000'),
      true,
    ],
    [
      'DateEquals of both kinds',
      when('DateEquals', 'aws:EpochTime', '2017-07-14T02:40:00Z'),
      given('aws:EpochTime', '1500000000'),
      true,
    ],
    ['DateNotEquals', when('DateNotEquals', 't', '2020-01-01'), given('t', '2020-01-01T00:00:00Z'), false],
    ['DateLessThanEquals', when('DateLessThanEquals', 't', '2020-01-01'), given('t', '2020-01-01'), true],
    ['DateGreaterThanEquals', when('DateGreaterThanEquals', 't', '2020-01-01'), given('t', '2019-12-31'), false],
    ['Bool', when('Bool', 'aws:SecureTransport', 'true'), given('aws:SecureTransport', 'true'), true],
    ['Bool with a boolean', when('Bool', 'aws:SecureTransport', false), given('aws:SecureTransport', 'false'), true],
    ['Bool with a missing key', when('Bool', 'aws:MultiFactorAuthPresent', 'false'), {}, false],
    ['BoolIfExists with a missing key', when('BoolIfExists', 'aws:MultiFactorAuthPresent', 'false'), {}, true],
    ['BinaryEquals', when('BinaryEquals', 'k', 'QmluYXJ5'), given('k', 'QmluYXJ5'), true],
    ['IpAddress', when('IpAddress', 'aws:SourceIp', '203.0.113.0/24'), ip('203.0.113.7'), true],
    ['IpAddress outside', when('IpAddress', 'aws:SourceIp', '203.0.113.0/24'), ip('203.0.114.7'), false],
    ['IpAddress of one', when('IpAddress', 'aws:SourceIp', '203.0.113.7'), ip('203.0.113.7'), true],
    [
      'IpAddress of IPv6',
      when('IpAddress', 'aws:SourceIp', '2001:DB8:1234:5678::/64'),
      ip('2001:db8:1234:5678::1'),
      true,
    ],
    ['IpAddress of a mapped address', when('IpAddress', 'aws:SourceIp', '127.0.0.0/8'), ip('::ffff:127.0.0.1'), true],
    ['IpAddress of nonsense', when('IpAddress', 'aws:SourceIp', '203.0.113.0/99'), ip('203.0.113.7'), false],
    ['NotIpAddress', when('NotIpAddress', 'aws:SourceIp', ['203.0.113.0/24', '10.0.0.0/8']), ip('10.1.1.1'), false],
    [
      'ArnLike',
      when('ArnLike', 'aws:SourceArn', 'arn:aws:sns:*:*:orders'),
      given('aws:SourceArn', 'arn:aws:sns:us-east-1:1:orders'),
      true,
    ],
    [
      'ArnEquals takes wildcards too',
      when('ArnEquals', 'aws:SourceArn', 'arn:aws:sns:*:*:ord*'),
      given('aws:SourceArn', 'arn:aws:sns:us-east-1:1:orders'),
      true,
    ],
    [
      'ArnLike goes part by part',
      when('ArnLike', 'aws:SourceArn', 'arn:aws:sns:*:orders'),
      given('aws:SourceArn', 'arn:aws:sns:us-east-1:1:orders'),
      false,
    ],
    [
      'ArnNotLike',
      when('ArnNotLike', 'aws:PrincipalArn', 'arn:aws:iam::*:user/*'),
      given('aws:PrincipalArn', JANE.arn),
      false,
    ],
    ['ArnNotEquals with a missing key', when('ArnNotEquals', 'aws:SourceArn', 'arn:aws:sns:*:*:*'), {}, true],
    ['Null of a missing key', when('Null', 'aws:TokenIssueTime', 'true'), {}, true],
    [
      'Null of a key that is there',
      when('Null', 'aws:TokenIssueTime', 'true'),
      given('aws:TokenIssueTime', 'x'),
      false,
    ],
    [
      'Null false of a key that is there',
      when('Null', 'aws:TokenIssueTime', false),
      given('aws:TokenIssueTime', 'x'),
      true,
    ],
    [
      'ForAllValues',
      when('ForAllValues:StringEquals', 'aws:TagKeys', ['a', 'b']),
      given('aws:TagKeys', ['b', 'a']),
      true,
    ],
    [
      'ForAllValues with one too many',
      when('ForAllValues:StringEquals', 'aws:TagKeys', ['a']),
      given('aws:TagKeys', ['b', 'a']),
      false,
    ],
    ['ForAllValues of nothing', when('ForAllValues:StringEquals', 'aws:TagKeys', ['a']), {}, true],
    ['ForAnyValue', when('ForAnyValue:StringLike', 'aws:TagKeys', 'a*'), given('aws:TagKeys', ['b', 'ab']), true],
    ['ForAnyValue of nothing', when('ForAnyValue:StringEquals', 'aws:TagKeys', ['a']), {}, false],
    ['ForAnyValue negated of nothing', when('ForAnyValue:StringNotEquals', 'aws:TagKeys', ['a']), {}, false],
    [
      'ForAllValues negated',
      when('ForAllValues:StringNotEquals', 'aws:TagKeys', ['a']),
      given('aws:TagKeys', ['b', 'a']),
      false,
    ],
    [
      'ForAnyValue negated',
      when('ForAnyValue:StringNotEquals', 'aws:TagKeys', ['a']),
      given('aws:TagKeys', ['b', 'a']),
      true,
    ],
    ['an operator that does not exist', when('StringAlmost', 'aws:TagKeys', 'a'), given('aws:TagKeys', 'a'), false],
    ['all keys', { Condition: { StringEquals: { a: '1', b: '2' } } }, { context: { a: '1', b: '2' } }, true],
    ['not all keys', { Condition: { StringEquals: { a: '1', b: '2' } } }, { context: { a: '1', b: '3' } }, false],
    [
      'not all operators',
      { Condition: { StringEquals: { a: '1' }, StringLike: { b: 'x*' } } },
      { context: { a: '1', b: 'y' } },
      false,
    ],
  ];
  it.each(rows)('%s', (_what, element, question, expected) => expect(applies(element, question)).toBe(expected));
});

describe('documents', () => {
  it('list the condition keys that they read', () => {
    const document = policy(
      allow({
        Resource: 'arn:aws:s3:::b/${aws:username}/*',
        Condition: { StringEquals: { 'S3:prefix': '${aws:PrincipalTag/p}' } },
      }),
      allow({ Condition: { Null: { 'aws:UserName': 'true' }, Bool: { 'aws:SecureTransport': 'true' } } }),
    ).document;
    expect(contextKeysOf([document])).toEqual([
      'aws:username',
      'S3:prefix',
      'aws:PrincipalTag/p',
      'aws:SecureTransport',
    ]);
  });

  it('have positions of their statements', () => {
    const document =
      '{\n  "Version": "2012-10-17",\n  "Statement": [\n    {\n      "Sid": "a{]}",\n      "Resource": []\n    }, {}\n  ]\n}';
    expect(statementPositions(document)).toEqual([
      { start: { line: 4, column: 5 }, end: { line: 7, column: 6 } },
      { start: { line: 7, column: 8 }, end: { line: 7, column: 10 } },
    ]);
    expect(statementPositions('{"Statement":{"Condition":{"Bool":{}}},"Id":"x"}')).toEqual([
      { start: { line: 1, column: 14 }, end: { line: 1, column: 39 } },
    ]);
  });
});
