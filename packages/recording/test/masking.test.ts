import { compileService, type ServiceModel, type Shape } from '@emu/wire';
import { describe, expect, test } from 'vitest';
import { CutBody, Masker } from '../src/index.ts';

const string = (more: Partial<Shape> = {}): Shape => ({ type: 'string', ...more });

const MODEL: ServiceModel = {
  service: 'vault',
  source: { botocore: '', path: '' },
  metadata: { apiVersion: '', endpointPrefix: '', signingName: '', serviceId: '', protocols: ['awsJson1_1'] },
  operations: { Put: { http: { method: 'POST', uri: '/' }, input: { shape: 'Put' } } },
  shapes: {
    Text: string(),
    Number: { type: 'integer' },
    Secret: string({ sensitive: true }),
    Code: string({ sensitive: true, pattern: '[0-9]+', min: 6, max: 6 }),
    Jwt: string({ sensitive: true, pattern: '[A-Za-z0-9-_=.]+' }),
    Long: string({ sensitive: true, min: 30 }),
    Kind: string({ sensitive: true, enum: ['A', 'B'] }),
    Variable: string({ sensitive: true, pattern: '[a-zA-Z]([a-zA-Z0-9_])+' }),
    Variables: { type: 'map', key: { shape: 'Variable' }, value: { shape: 'Secret' }, sensitive: true },
    Bytes: { type: 'blob', sensitive: true },
    Data: { type: 'blob' },
    Secrets: { type: 'list', member: { shape: 'Secret' } },
    Attributes: { type: 'map', key: { shape: 'Text' }, value: { shape: 'Text' } },
    Put: {
      type: 'structure',
      members: {
        Text: { shape: 'Text' },
        Number: { shape: 'Number' },
        Secret: { shape: 'Secret' },
        Code: { shape: 'Code' },
        Jwt: { shape: 'Jwt' },
        Long: { shape: 'Long' },
        Kind: { shape: 'Kind' },
        Variables: { shape: 'Variables' },
        Bytes: { shape: 'Bytes' },
        Data: { shape: 'Data' },
        Secrets: { shape: 'Secrets' },
        Attributes: { shape: 'Attributes' },
        SecretAccessKey: { shape: 'Text' },
        NextToken: { shape: 'Text' },
      },
    },
  },
};

const mask = (value: unknown, masker = new Masker()): Record<string, unknown> => masker.members(MODEL, 'Put', value);
const text = (value: string, masker = new Masker()): string => masker.text(value);

describe('members', () => {
  test('that the model marks as sensitive are masked, and equal values have equal placeholders', () => {
    expect(
      mask({ Secret: 'one', Secrets: ['one', 'two'], Text: 'free', Number: 5, Bytes: Buffer.from('two'), Kind: 'A' }),
    ).toEqual({
      Secret: '{{Secret:000001}}',
      Secrets: ['{{Secret:000001}}', '{{Secret:000002}}'],
      Text: 'free',
      Number: 5,
      Bytes: Buffer.from('{{Secret:000002}}'),
      Kind: 'A',
    });
  });

  test('keep the form that their shapes require, so that a replay can send them', () => {
    const masked = mask({ Secret: 's', Code: '123456', Jwt: 'a.b.c', Long: 'l', Variables: { DB_PASSWORD: 'p' } });
    expect(masked).toEqual({
      Secret: '{{Secret:000001}}',
      Code: '000002',
      Jwt: 'Secret-000003',
      Long: '{{Secret:000004}}xxxxxxxxxxxxx',
      Variables: { Secret000005: '{{Secret:000006}}' },
    });
    expect(compileService(MODEL).validate('Put', masked)).toEqual([]);
  });

  test('with names of secrets are masked without a mark in the model; pagination tokens are not', () => {
    expect(
      mask({ SecretAccessKey: 'k', NextToken: 'next', Attributes: { dbPassword: 'p', secretArn: 'arn:aws:x' } }),
    ).toEqual({
      SecretAccessKey: '{{Secret:000001}}',
      NextToken: 'next',
      Attributes: { dbPassword: '{{Secret:000002}}', secretArn: 'arn:aws:x' },
    });
  });

  test('keep their type: bytes, cut bodies, dates', () => {
    const at = new Date();
    const data = new Uint8Array([0, 255]);
    expect(mask({ Bytes: new CutBody(Buffer.from('abc'), 99), Data: data, Text: at })).toEqual({
      Bytes: new CutBody(Buffer.from('{{Secret:000001}}'), 99),
      Data: data,
      Text: at,
    });
    expect(mask({ Data: Buffer.from('mail a@b.org') }).Data).toEqual(Buffer.from('mail masked-1@example.com'));
  });

  test('are kept on request, except credentials', () => {
    const value = { Secret: 'one', Text: 'a@b.org 123456789012', Attributes: { password: 'p' } };
    expect(mask(value, new Masker(true))).toEqual(value);
    const masker = new Masker(true);
    masker.addSecret('the key of the user');
    expect(mask({ SecretAccessKey: 'key of the role', Text: 'the key of the user' }, masker)).toEqual({
      SecretAccessKey: '{{Secret:000002}}',
      Text: '{{Secret:000001}}',
    });
  });
});

describe('texts', () => {
  test.for([
    ['arn:aws:iam::123456789012:role/r', 'arn:aws:iam::000000000001:role/r'],
    ['https://sqs.us-east-1.amazonaws.com/123456789012/q', 'https://sqs.us-east-1.amazonaws.com/000000000001/q'],
    ['bucket-123456789012-us-east-1', 'bucket-000000000001-us-east-1'],
    ['1234567890123 and a123456789012b', '1234567890123 and a123456789012b'],
    ['AKIAIOSFODNN7EXAMPLE', 'AKIA0000000000000001'],
    ['AROAJQABLZS4A3QDU576Q:session', 'AROA00000000000000001:session'],
    ['Ann <ann.b+c@mail.example.org>, @home, a@b', 'Ann <masked-1@example.com>, @home, a@b'],
    ['{"password": "p\\"q", "tokenType": "t", "n": 1}', '{"password": "{{Secret:000001}}", "tokenType": "t", "n": 1}'],
    [
      String.raw`{"body":"{\"password\":\"hi\",\"n\":1}"}`,
      String.raw`{"body":"{\"password\":\"{{Secret:000001}}\",\"n\":1}"}`,
    ],
    ['{"apiKey": "cut he', '{"apiKey": "{{Secret:000001}}"'],
    ['user=a&password=hello&next_token=t', 'user=a&password={{Secret:000001}}&next_token=t'],
    [
      'https://b.s3.amazonaws.com/k?X-Amz-Signature=abc&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F2026',
      'https://b.s3.amazonaws.com/k?X-Amz-Signature={{Secret:000001}}&X-Amz-Credential={{Secret:000002}}',
    ],
    ['Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'Bearer {{Secret:000001}}'],
    ['a -----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY----- b', 'a {{Secret:000001}} b'],
    [
      '-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----',
      '-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----',
    ],
  ])('%j', ([before, after]) => {
    expect(text(before!)).toBe(after);
  });

  test('contain no secret that was masked before', () => {
    const masker = new Masker();
    mask({ Secret: 'correct horse' }, masker);
    mask({ Text: '123456789012' }, masker);
    expect(text('the password "correct horse" of acct123456789012x', masker)).toBe(
      'the password "{{Secret:000001}}" of acct000000000001x',
    );
  });

  test('contain no secret of a later member', () => {
    expect(mask({ Text: 'not correct horse', Secret: 'correct horse' }).Text).toBe('not {{Secret:000001}}');
  });

  test('of headers lose cookies, keys and authorizations, but not their schemes', () => {
    expect(
      new Masker().headers({ authorization: 'Bearer abc', cookie: 'id=1', 'x-api-key': 'k', accept: '*/*' }),
    ).toEqual({
      authorization: 'Bearer {{Secret:000001}}',
      cookie: '{{Secret:000002}}',
      'x-api-key': '{{Secret:000003}}',
      accept: '*/*',
    });
  });

  test('are masked in linear time', () => {
    const size = 400_000;
    for (const unit of [
      'a',
      '@',
      'a@',
      'eyJ-',
      'eyJa.',
      '"password":"',
      '\\"password\\":\\"',
      '-----BEGIN PRIVATE KEY-----',
      '1',
      '&password=',
      '"',
      'token',
    ]) {
      const long = unit.repeat(size / unit.length);
      const masker = new Masker();
      const started = performance.now();
      masker.text(long);
      expect(performance.now() - started, unit).toBeLessThan(2000);
    }
  });
});
