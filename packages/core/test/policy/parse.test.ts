// biome-ignore-all lint/suspicious/noTemplateCurlyInString: policies spell their variables so.
import { describe, expect, it } from 'vitest';
import {
  actionsOf,
  each,
  type PolicyRules,
  PRINCIPALS,
  parsePolicy,
  policySize,
  sentenceFor,
} from '../../src/service.ts';

const RULES: PolicyRules = {
  principal: 'required',
  principals: PRINCIPALS,
  action: 'required',
  actions: actionsOf('sqs', ['SendMessage', 'ReceiveMessage']),
  resource: 'required',
  resources: each((resource) => resource === '*' || resource.startsWith('arn:')),
  sid: /^[A-Za-z0-9]*$/,
  uniqueSids: 'given',
};
const STATEMENT = { Effect: 'Allow', Principal: '*', Action: 'sqs:SendMessage', Resource: '*' };
const policy = (statement: object, more: object = {}): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: { ...STATEMENT, ...statement }, ...more });
const problemOf = (text: string, rules: Partial<PolicyRules> = {}) => parsePolicy(text, { ...RULES, ...rules }).problem;

describe('a valid policy', () => {
  it('is parsed to its elements by type', () => {
    const text = JSON.stringify({
      Version: '2012-10-17',
      Id: 'id',
      Statement: [
        {
          Sid: 'one',
          Effect: 'Deny',
          NotPrincipal: { AWS: ['000000000000', 'arn:aws:iam::000000000000:role/a/b'], Service: 'sns.amazonaws.com' },
          NotAction: ['sqs:Send*', '*'],
          NotResource: ['*'],
          Condition: {
            'ForAnyValue:StringLikeIfExists': { 'aws:TagKeys': ['a', 'b'] },
            Bool: { 'aws:SecureTransport': false },
            Unheard: {},
          },
        },
        STATEMENT,
      ],
    });
    expect(parsePolicy(text, RULES)).toEqual({
      policy: {
        version: '2012-10-17',
        id: 'id',
        statements: [
          {
            index: 0,
            sid: 'one',
            effect: 'Deny',
            principals: [
              { type: 'AWS', name: '000000000000' },
              { type: 'AWS', name: 'arn:aws:iam::000000000000:role/a/b' },
              { type: 'Service', name: 'sns.amazonaws.com' },
            ],
            exceptPrincipals: true,
            actions: ['sqs:Send*', '*'],
            exceptActions: true,
            resources: ['*'],
            exceptResources: true,
            conditions: [
              { operator: 'ForAnyValue:StringLikeIfExists', key: 'aws:TagKeys', values: ['a', 'b'] },
              { operator: 'Bool', key: 'aws:SecureTransport', values: ['false'] },
            ],
          },
          {
            index: 1,
            sid: undefined,
            effect: 'Allow',
            principals: [{ type: 'AWS', name: '*' }],
            exceptPrincipals: false,
            actions: ['sqs:SendMessage'],
            exceptActions: false,
            resources: ['*'],
            exceptResources: false,
            conditions: [],
          },
        ],
      },
    });
  });

  it.each([
    [{ Principal: { AWS: ['*', '123456789012', 'arn:aws-cn:iam::123456789012:root', 'AROAABCDEFGHIJKL'] } }],
    [{ Principal: { AWS: 'arn:aws:sts::123456789012:assumed-role/role/session' } }],
    [{ Principal: { Federated: ['accounts.google.com', 'arn:aws:iam::123456789012:saml-provider/x'] } }],
    [{ Action: 'SQS:sendmessage' }],
    [{ Action: '*' }],
    [{ Action: 'sqs:?eceive*' }],
    [{ Condition: { Null: { 'aws:TokenIssueTime': true }, numericequalsifexists: { a: [1, 2] } } }],
    [{ Condition: { DateLessThan: { 'aws:CurrentTime': ['2017-07-01T00:00:00Z', '1700000000', '${aws:a}'] } } }],
  ])('has %j', (statement) => {
    expect(problemOf(policy(statement), { dates: true })).toBeUndefined();
  });
});

describe('a problem', () => {
  it.each<[string, Partial<PolicyRules>, object]>([
    ['{', {}, { code: 'not-json', value: '{' }],
    ['[]', {}, { code: 'not-object' }],
    ['null', {}, { code: 'not-object' }],
    ['{"Version":"2012-10-17","Version":"2012-10-17"}', {}, { code: 'duplicate-key', element: 'Version' }],
    ['{"Statement":[],"Statem\\u0065nt":[]}', {}, { code: 'duplicate-key', element: 'Statement' }],
    [policy({}, { Extra: 1 }), {}, { code: 'unknown-element', element: 'Extra' }],
    [policy({}, { Version: '2020-01-01' }), {}, { code: 'invalid-version', element: 'Version', value: '2020-01-01' }],
    [policy({}, { Version: '2008-10-17' }), { latestVersion: true }, { code: 'old-version' }],
    [policy({}, { Version: undefined }), { latestVersion: true }, { code: 'missing-version' }],
    [policy({}, { Id: 1 }), {}, { code: 'wrong-type', element: 'Id', value: '1' }],
    ['{}', {}, { code: 'missing-statement' }],
    ['{"Statement":[]}', {}, { code: 'empty-statement' }],
    ['{"Statement":[1]}', {}, { code: 'statement-not-object', statement: 0, value: '1' }],
    ['{"Statement":null}', {}, { code: 'statement-not-object', statement: 0, value: 'null' }],
    [policy({ Principle: '*' }), {}, { code: 'unknown-element', statement: 0, element: 'Principle' }],
    [policy({ Effect: undefined }), {}, { code: 'missing-effect', statement: 0 }],
    [policy({ Effect: 'Permit' }), {}, { code: 'invalid-effect', statement: 0, element: 'Effect', value: 'Permit' }],
    [policy({ Effect: 'allow' }), {}, { code: 'effect-case', statement: 0, element: 'Effect', value: 'allow' }],
    [policy({ Sid: 'a b' }), {}, { code: 'invalid-sid', statement: 0, element: 'Sid', value: 'a b' }],
    [policy({ Principal: undefined }), {}, { code: 'missing-principal', statement: 0, element: 'Principal' }],
    [policy({}), { principal: 'refused' }, { code: 'prohibited-principal', statement: 0, element: 'Principal' }],
    [policy({ Principal: {} }), {}, { code: 'empty-principal', statement: 0, element: 'Principal' }],
    [policy({ Principal: { AWS: [] } }), {}, { code: 'empty-principal', statement: 0, element: 'Principal' }],
    [policy({ Principal: 'a' }), {}, { code: 'principal-not-object', statement: 0, element: 'Principal', value: 'a' }],
    [policy({ Principal: 1 }), {}, { code: 'wrong-type', statement: 0, element: 'Principal', value: '1' }],
    [policy({ Principal: { AWS: 'a' } }), {}, { code: 'invalid-principal', statement: 0, element: 'AWS', value: 'a' }],
    [
      policy({ Principal: { AWS: 'arn:aws:iam::123456789012:role/*' } }),
      {},
      { code: 'invalid-principal', statement: 0, element: 'AWS', value: 'arn:aws:iam::123456789012:role/*' },
    ],
    [
      policy({ Principal: { constructor: 'a' } }),
      {},
      { code: 'invalid-principal', statement: 0, element: 'constructor', value: 'a' },
    ],
    [policy({ NotPrincipal: '*' }), {}, { code: 'conflicting-elements', statement: 0, element: 'Principal' }],
    [policy({ NotAction: '*' }), {}, { code: 'conflicting-elements', statement: 0, element: 'Action' }],
    [policy({ Action: undefined }), {}, { code: 'missing-action', statement: 0, element: 'Action' }],
    [policy({ Action: [] }), {}, { code: 'missing-action', statement: 0, element: 'Action', reason: 'empty' }],
    [policy({ Action: [1] }), {}, { code: 'wrong-type', statement: 0, element: 'Action', value: '1' }],
    [policy({ Action: 's3:a' }), {}, { code: 'invalid-action', statement: 0, element: 'Action', value: 's3:a' }],
    [policy({ Action: 'sqs:x*' }), {}, { code: 'invalid-action', statement: 0, element: 'Action', value: 'sqs:x*' }],
    [
      policy({ Action: undefined, NotAction: '*' }),
      { notActionRefused: true },
      { code: 'prohibited-action', statement: 0, element: 'NotAction' },
    ],
    [policy({ Resource: undefined }), {}, { code: 'missing-resource', statement: 0, element: 'Resource' }],
    [policy({ Resource: 'q' }), {}, { code: 'invalid-resource', statement: 0, element: 'Resource', value: 'q' }],
    [policy({}), { resource: 'refused' }, { code: 'prohibited-resource', statement: 0, element: 'Resource' }],
    [policy({ Condition: 1 }), {}, { code: 'invalid-condition', statement: 0, element: 'Condition', value: '1' }],
    [
      policy({ Condition: { Bool: 'true' } }),
      {},
      { code: 'invalid-condition', statement: 0, element: 'Condition', value: 'true' },
    ],
    [
      policy({ Condition: { Bool: { a: {} } } }),
      {},
      { code: 'invalid-condition', statement: 0, element: 'Condition', value: '{}' },
    ],
    [
      policy({ Condition: { NullIfExists: { a: 'true' } } }),
      {},
      { code: 'unknown-operator', statement: 0, element: 'Condition', value: 'NullIfExists' },
    ],
    [
      policy({ Condition: { Bool: { a: 'true' } } }),
      { conditionKey: (key) => key.includes(':') },
      { code: 'invalid-condition-key', statement: 0, element: 'Condition', value: 'a' },
    ],
    [
      policy({ Condition: { 'ForAnyValue:DateEquals': { a: 'soon' } } }),
      { dates: true },
      { code: 'invalid-date', statement: 0, element: 'ForAnyValue:DateEquals', value: 'soon' },
    ],
    [
      policy({}),
      { statement: ({ sid }) => (sid === undefined ? { reason: 'no id' } : undefined) },
      { code: 'resource-mismatch', statement: 0, reason: 'no id' },
    ],
  ])('of %s', (text, rules, problem) => {
    expect(problemOf(text, rules)).toEqual(problem);
  });

  it('concerns the size, in bytes or without white space', () => {
    const text = policy({}, { Id: 'ü  ü' });
    const bytes = Buffer.byteLength(text);
    expect(policySize(text)).toBe(bytes - 4);
    const size = (most: number, of: 'bytes' | 'characters without white space') =>
      problemOf(text, { size: { most, of } });
    expect(size(bytes, 'bytes')).toBeUndefined();
    expect(size(bytes - 1, 'bytes')).toEqual({ code: 'too-large', count: bytes, limit: bytes - 1 });
    expect(size(bytes - 4, 'characters without white space')).toBeUndefined();
    expect(size(bytes - 5, 'characters without white space')).toMatchObject({ code: 'too-large', count: bytes - 4 });
  });

  it('concerns the number of elements', () => {
    const Statement = [
      { ...STATEMENT, Action: ['sqs:SendMessage', 'sqs:ReceiveMessage'], Condition: { Bool: { a: true, b: true } } },
      { ...STATEMENT, Principal: { AWS: ['000000000001', '000000000002'] }, Resource: ['*', 'arn:b'] },
    ];
    const text = JSON.stringify({ Statement });
    const exceeded = (element: string) => problemOf(text, { most: { [element]: 1 } });
    expect(exceeded('Statement')).toEqual({ code: 'too-many', element: 'Statement', count: 2, limit: 1 });
    expect(exceeded('Action')).toEqual({ code: 'too-many', statement: 0, element: 'Action', count: 2, limit: 1 });
    expect(exceeded('Resource')).toEqual({ code: 'too-many', statement: 1, element: 'Resource', count: 2, limit: 1 });
    expect(exceeded('Principal')).toEqual({ code: 'too-many', element: 'Principal', count: 3, limit: 1 });
    expect(exceeded('Condition')).toEqual({ code: 'too-many', element: 'Condition', count: 2, limit: 1 });
  });

  it('concerns the ids of statements', () => {
    const sids = (...given: (string | undefined)[]) =>
      JSON.stringify({ Statement: given.map((Sid) => ({ ...STATEMENT, Sid })) });
    expect(problemOf(sids('a', 'b', 'a'))).toEqual({
      code: 'duplicate-sid',
      statement: 2,
      element: 'Sid',
      value: 'a',
    });
    expect(problemOf(sids('', undefined, ''))).toBeUndefined();
    expect(problemOf(sids('', undefined), { uniqueSids: 'all' })).toMatchObject({ code: 'duplicate-sid', value: '' });
    expect(problemOf(sids('a', 'a'), { uniqueSids: undefined } as Partial<PolicyRules>)).toBeUndefined();
  });

  it('is the first in the document, or by the order of the service', () => {
    const text = JSON.stringify({ Statement: [{ Effect: 'Permit' }, { ...STATEMENT, Extra: 1 }] });
    expect(problemOf(text)).toMatchObject({ code: 'invalid-effect', statement: 0 });
    expect(problemOf(text, { order: [['unknown-element'], ['*']] })).toMatchObject({ code: 'unknown-element' });
    expect(problemOf(text, { order: [['*'], ['invalid-effect']] })).toMatchObject({ code: 'missing-principal' });
  });

  it('has a message of the service', () => {
    const sentences = { 'too-many': ({ count = 0 }) => `${count} found`, otherwise: 'No.' };
    expect(sentenceFor({ code: 'too-many', count: 3 }, sentences)).toBe('3 found');
    expect(sentenceFor({ code: 'not-json' }, sentences)).toBe('No.');
  });
});

it('accepts duplicate keys if the service does, and the last one counts', () => {
  const text = '{"Statement":[],"Statement":{"Effect":"Allow","Principal":"*","Action":"*","Resource":"*"}}';
  expect(parsePolicy(text, { ...RULES, duplicateKeys: true }).policy?.statements).toHaveLength(1);
  const nested = '{"Statement":{"Effect":"Allow","Principal":{"AWS":"000000000001","AWS":"000000000002"}}}';
  expect(problemOf(nested)).toEqual({ code: 'duplicate-key', element: 'AWS' });
});

it('matches names with many wildcards at once', () => {
  const Action = `sqs:${'*a'.repeat(200)}*z`;
  expect(problemOf(policy({ Action }))).toMatchObject({ code: 'invalid-action' });
  expect(problemOf(policy({ Action: `sqs:${'*'.repeat(200)}d*e` }))).toBeUndefined();
});
