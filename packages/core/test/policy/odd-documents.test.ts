// biome-ignore-all lint/suspicious/noTemplateCurlyInString: policies spell their variables so.
import { describe, expect, it } from 'vitest';
import { createIds } from '../../src/index.ts';
import {
  contextKeysOf,
  evaluate,
  type PolicyRules,
  PRINCIPALS,
  parsePolicy,
  statementPositions,
} from '../../src/service.ts';
import { ACCOUNT, allow, JANE, SESSION, SNS } from './support.ts';

const ids = createIds('odd documents');
const pick = <T>(list: readonly T[]): T => list[ids.bytes(2).readUInt16BE() % list.length]!;

const SCALARS: readonly unknown[] = [
  null,
  true,
  0,
  -1e308,
  '',
  '*',
  '?'.repeat(50),
  '*'.repeat(500),
  'arn:',
  'arn:aws:s3',
  'arn:aws:s3:::b/${aws:username}',
  '${',
  '${}',
  "${a,'",
  "${a, 'b'}${*}",
  '\u0000\ud800',
  '__proto__',
  'constructor',
  '2020-01-01',
  '1e999',
  '::/0',
  '0.0.0.0/-1',
  'Allow',
  'Deny',
  'sqs:SendMessage',
];
const KEYS = [
  'Version',
  'Id',
  'Statement',
  'Sid',
  'Effect',
  'Action',
  'NotAction',
  'Resource',
  'NotResource',
  'Principal',
  'NotPrincipal',
  'Condition',
  'AWS',
  'Service',
  'StringEquals',
  'ForAllValues:ArnLike',
  'NumericLessThanIfExists',
  'DateEquals',
  'IpAddress',
  'NotIpAddress',
  'BinaryEquals',
  'Null',
  'Bool',
  'aws:username',
  'toString',
  '__proto__',
];

/** Returns any JSON value, with words of policies. */
function anything(depth: number): unknown {
  const kind = depth <= 0 ? 0 : ids.bytes(1)[0]! % 4;
  if (kind < 2) return pick(SCALARS);
  const size = ids.bytes(1)[0]! % 5;
  if (kind === 2) return Array.from({ length: size }, () => anything(depth - 1));
  return Object.fromEntries(Array.from({ length: size }, () => [pick(KEYS), anything(depth - 1)]));
}

/** Returns a statement with one invalid element. */
const spoiled = (): unknown => ({
  ...allow({ Principal: '*', Condition: { StringLike: { 'aws:username': 'j*' } } }),
  [pick(KEYS)]: anything(3),
});

const RULES: PolicyRules = {
  principal: 'optional',
  principals: PRINCIPALS,
  action: 'required',
  resource: 'required',
  dates: true,
  uniqueSids: 'given',
};

const context = new Map<string, string | string[]>([
  ['aws:username', 'jane'],
  ['aws:tagkeys', ['a', 'b']],
]);

describe('evaluation of odd documents', () => {
  it.each([
    ['anything', () => anything(6)],
    ['anything as statements', () => ({ Version: '2012-10-17', Statement: anything(5) })],
    ['spoiled statements', () => ({ Version: '2012-10-17', Statement: [spoiled(), spoiled()] })],
  ] as const)('always decides: %s', (_what, make) => {
    for (let round = 0; round < 2000; round++) {
      const document = JSON.stringify(make()) ?? 'undefined';
      const attached = { id: 'odd', document };
      for (const principal of [JANE, SESSION, SNS]) {
        const { verdict, matched } = evaluate(
          { principal, action: 'sqs:SendMessage', resource: `arn:aws:sqs:us-east-1:${ACCOUNT}:q`, context },
          {
            identity: [attached],
            boundary: [attached],
            session: [attached],
            resource: attached,
            serviceControl: [[attached]],
          },
        );
        expect(['allowed', 'explicitDeny', 'implicitDeny']).toContain(verdict);
        // Only statements that allow can allow a request.
        if (verdict === 'allowed') expect(matched.some(({ effect }) => effect === 'Allow')).toBe(true);
        expect(verdict === 'explicitDeny').toBe(matched.some(({ effect }) => effect === 'Deny'));
      }
      expect(contextKeysOf([document]).every((key) => typeof key === 'string')).toBe(true);
      expect(Array.isArray(statementPositions(document))).toBe(true);
      const { policy, problem } = parsePolicy(document, RULES);
      expect(policy === undefined).toBe(problem !== undefined);
      // An accepted policy is evaluated, statement by statement.
      for (const { effect, actions, resources } of policy?.statements ?? []) {
        expect(['Allow', 'Deny']).toContain(effect);
        expect(actions.length * resources.length).toBeGreaterThan(0);
      }
    }
  });

  it.each(['', '{', 'null', '[]', '"Allow"', `${'['.repeat(100_000)}`, '{"Statement":'])(
    'allows nothing for %j',
    (document) => {
      const question = { principal: JANE, action: 'a:b', resource: '*', context };
      expect(evaluate(question, { identity: [{ id: 'odd', document }] }).verdict).toBe('implicitDeny');
      expect(statementPositions(document)).toEqual([]);
      expect(parsePolicy(document, RULES).problem?.code).toMatch(/^not-/);
    },
  );
});
