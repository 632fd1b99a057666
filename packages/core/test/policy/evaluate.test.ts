// biome-ignore-all lint/suspicious/noTemplateCurlyInString: policies spell their variables so.
import { describe, expect, it } from 'vitest';
import { denialMessage, type PolicySet } from '../../src/service.ts';
import {
  ACCOUNT,
  ANONYMOUS,
  allow,
  ask,
  deny,
  JANE,
  OTHER,
  policy,
  type Question,
  ROOT,
  resourcePolicy,
  SESSION,
  SNS,
} from './support.ts';

const yes = policy(allow());
const no = policy(deny());
const reads = policy(allow({ Action: 's3:Get*' }));
const names = (principal: unknown) => resourcePolicy(allow({ Principal: principal }));
const own = names({ AWS: JANE.arn });
const account = names({ AWS: ROOT.arn });
const theirs = `arn:aws:sqs:us-east-1:${OTHER}:orders`;

type Row = [what: string, question: Question, outcome: string];

/** Results are `allowed`, or the decision with the kind of policy that causes it. */
const outcome = (question: Question): string => {
  const { verdict, deniedBy } = ask(question);
  return deniedBy ? `${verdict} by ${deniedBy}` : verdict;
};
const by = (policies: Partial<PolicySet>, rest: Question = {}): Question => ({ ...rest, policies });

describe('within an account', () => {
  const rows: Row[] = [
    ['nothing allows', by({}), 'implicitDeny by identity'],
    ['the identity allows', by({ identity: [yes] }), 'allowed'],
    ['one of several policies allows', by({ identity: [reads, yes] }), 'allowed'],
    ['a denial wins over permissions', by({ identity: [yes, no] }), 'explicitDeny by identity'],
    ['the resource alone allows the user', by({ resource: own }), 'allowed'],
    ['the resource alone allows everybody', by({ resource: names('*') }), 'allowed'],
    ['the resource names the account, the identity has nothing', by({ resource: account }), 'implicitDeny by identity'],
    ['the resource names the account, the identity allows', by({ resource: account, identity: [yes] }), 'allowed'],
    [
      'the resource denies',
      by({ identity: [yes], resource: resourcePolicy(deny({ Principal: '*' })) }),
      'explicitDeny by resource',
    ],
    ['a boundary allows nothing by itself', by({ boundary: [yes] }), 'implicitDeny by identity'],
    ['a boundary limits the identity', by({ identity: [yes], boundary: [reads] }), 'implicitDeny by boundary'],
    ['a boundary denies', by({ identity: [yes], boundary: [no] }), 'explicitDeny by boundary'],
    ['a boundary does not limit what the resource gives a user', by({ boundary: [reads], resource: own }), 'allowed'],
    [
      'session policies limit',
      by({ identity: [yes], session: [reads] }, { principal: SESSION }),
      'implicitDeny by session',
    ],
    [
      'no session policy allows',
      by({ identity: [yes], session: [] }, { principal: SESSION }),
      'implicitDeny by session',
    ],
    [
      'what the resource gives a role is limited by its boundary',
      by({ boundary: [reads], resource: names({ AWS: SESSION.entityArn }) }, { principal: SESSION }),
      'implicitDeny by identity',
    ],
    [
      'what the resource gives a role needs no identity policy',
      by({ resource: names({ AWS: SESSION.entityArn }) }, { principal: SESSION }),
      'allowed',
    ],
    [
      'what the resource gives a session is not limited',
      by({ boundary: [reads], session: [reads], resource: names({ AWS: SESSION.arn }) }, { principal: SESSION }),
      'allowed',
    ],
    ['root may', by({}, { principal: ROOT }), 'allowed'],
    [
      'root is denied',
      by({ resource: resourcePolicy(deny({ Principal: '*' })) }, { principal: ROOT }),
      'explicitDeny by resource',
    ],
    [
      'root is limited by control policies',
      by({ serviceControl: [[reads]] }, { principal: ROOT }),
      'implicitDeny by service-control',
    ],
    ['the public may not', by({}, { principal: ANONYMOUS }), 'implicitDeny by resource'],
    ['the public may by *', by({ resource: names({ AWS: '*' }) }, { principal: ANONYMOUS }), 'allowed'],
    ['a service may by name', by({ resource: names({ Service: 'sns.amazonaws.com' }) }, { principal: SNS }), 'allowed'],
    [
      'another service may not',
      by({ resource: names({ Service: 's3.amazonaws.com' }) }, { principal: SNS }),
      'implicitDeny by resource',
    ],
  ];
  it.each(rows)('%s', (_what, question, expected) => expect(outcome(question)).toBe(expected));
});

describe('control policies', () => {
  const rows: Row[] = [
    ['every level allows', by({ identity: [yes], serviceControl: [[yes], [reads, yes]] }), 'allowed'],
    [
      'one level does not',
      by({ identity: [yes], serviceControl: [[yes], [reads]] }),
      'implicitDeny by service-control',
    ],
    [
      'one level denies',
      by({ identity: [yes], serviceControl: [[yes, no], [yes]] }),
      'explicitDeny by service-control',
    ],
    ['they allow nothing by themselves', by({ serviceControl: [[yes]] }), 'implicitDeny by identity'],
    ['of the resource', by({ identity: [yes], resourceControl: [[reads]] }), 'implicitDeny by resource-control'],
    [
      'of the resource, denying',
      by({ identity: [yes], resourceControl: [[yes, no]] }),
      'explicitDeny by resource-control',
    ],
  ];
  it.each(rows)('%s', (_what, question, expected) => expect(outcome(question)).toBe(expected));
});

describe('across accounts', () => {
  const to = (policies: Partial<PolicySet>, rest: Question = {}): Question => ({ resource: theirs, ...rest, policies });
  const rows: Row[] = [
    ['the identity alone does not suffice', to({ identity: [yes] }), 'implicitDeny by resource'],
    ['the resource alone does not suffice', to({ resource: own }), 'implicitDeny by identity'],
    ['both allow', to({ identity: [yes], resource: own }), 'allowed'],
    ['the resource names the account', to({ identity: [yes], resource: account }), 'allowed'],
    ['the resource names the account by its id', to({ identity: [yes], resource: names({ AWS: ACCOUNT }) }), 'allowed'],
    [
      'the resource names another account',
      to({ identity: [yes], resource: names({ AWS: OTHER }) }),
      'implicitDeny by resource',
    ],
    ['a boundary limits', to({ identity: [yes], resource: own, boundary: [reads] }), 'implicitDeny by boundary'],
    ['root needs the resource', to({}, { principal: ROOT }), 'implicitDeny by resource'],
    ['root with the resource', to({ resource: account }, { principal: ROOT }), 'allowed'],
  ];
  it.each(rows)('%s', (_what, question, expected) => expect(outcome(question)).toBe(expected));

  it('uses the given account if the ARN has none', () => {
    const question = { resource: 'arn:aws:s3:::bucket/key', policies: { identity: [yes] } };
    expect(outcome(question)).toBe('allowed');
    expect(outcome({ ...question, resourceAccountId: OTHER })).toBe('implicitDeny by resource');
  });
});

describe('mandatory policies', () => {
  const key = (principal: unknown) => resourcePolicy(allow({ Principal: principal }), { mandatory: true });
  const rows: Row[] = [
    [
      'the key does not name anybody',
      by({ identity: [yes], resource: key({ AWS: OTHER }) }),
      'implicitDeny by resource',
    ],
    ['the key names the user', by({ resource: key({ AWS: JANE.arn }) }), 'allowed'],
    ['the key names the account', by({ resource: key({ AWS: ROOT.arn }) }), 'implicitDeny by identity'],
    [
      'the key names the account and the identity allows',
      by({ identity: [yes], resource: key({ AWS: ROOT.arn }) }),
      'allowed',
    ],
    ['root is not named', by({ resource: key({ AWS: JANE.arn }) }, { principal: ROOT }), 'implicitDeny by resource'],
    ['root is named', by({ resource: key({ AWS: ACCOUNT }) }, { principal: ROOT }), 'allowed'],
  ];
  it.each(rows)('%s', (_what, question, expected) => expect(outcome(question)).toBe(expected));

  it('are called trust policies for roles', () => {
    const trust = resourcePolicy(
      { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { AWS: OTHER } },
      {
        kind: 'trust',
        mandatory: true,
      },
    );
    const resource = `arn:aws:iam::${ACCOUNT}:role/app`;
    const question = { action: 'sts:AssumeRole', resource, policies: { identity: [yes], resource: trust } };
    expect(outcome(question)).toBe('implicitDeny by trust');
    expect(denialMessage({ principal: JANE, action: 'sts:AssumeRole', resource }, ask(question))).toBe(
      `User: ${JANE.arn} is not authorized to perform: sts:AssumeRole on resource: ${resource} because no role trust policy allows the sts:AssumeRole action`,
    );
  });

  it('allow a federated identity by its provider', () => {
    const provider = `arn:aws:iam::${ACCOUNT}:oidc-provider/token.example.com`;
    const statement = {
      Effect: 'Allow',
      Action: 'sts:AssumeRoleWithWebIdentity',
      Principal: { Federated: provider },
      Condition: { StringLike: { 'token.example.com:sub': 'repo:acme/*' } },
    };
    const question = (sub: string): Question => ({
      principal: { type: 'federated', accountId: '', arn: '', provider },
      action: 'sts:AssumeRoleWithWebIdentity',
      resource: `arn:aws:iam::${ACCOUNT}:role/app`,
      context: { 'token.example.com:sub': sub },
      policies: { resource: resourcePolicy(statement, { kind: 'trust', mandatory: true }) },
    });
    expect(outcome(question('repo:acme/app'))).toBe('allowed');
    expect(outcome(question('repo:evil/app'))).toBe('implicitDeny by trust');
  });
});

describe('principals', () => {
  const denies = (principal: Record<string, unknown>, policies: Partial<PolicySet> = {}): Question =>
    by({ identity: [yes], resource: resourcePolicy(deny(principal)), ...policies });
  const rows: Row[] = [
    ['by unique id', by({ resource: names({ AWS: 'AIDAJANE' }) }), 'allowed'],
    ["by a role's unique id", by({ resource: names({ AWS: 'AROAAPP' }) }, { principal: SESSION }), 'allowed'],
    ['a similar ARN is another one', by({ resource: names({ AWS: `${JANE.arn}t` }) }), 'implicitDeny by identity'],
    [
      'ARNs have no wildcards',
      by({ resource: names({ AWS: `arn:aws:iam::${ACCOUNT}:user/*` }) }),
      'implicitDeny by identity',
    ],
    ['one of several', by({ resource: names({ AWS: [OTHER, JANE.arn], Service: 'sns.amazonaws.com' }) }), 'allowed'],
    [
      'a statement without Principal applies to no principal',
      by({ resource: resourcePolicy(allow()) }),
      'implicitDeny by identity',
    ],
    [
      'NotPrincipal denies others',
      denies({ Principal: undefined, NotPrincipal: { AWS: OTHER } }),
      'explicitDeny by resource',
    ],
    [
      'NotPrincipal exempts the principals it names',
      denies({ NotPrincipal: { AWS: [JANE.arn, ROOT.arn] } }),
      'allowed',
    ],
    [
      'NotPrincipal exempts no principal that has a permissions boundary',
      denies({ NotPrincipal: { AWS: [JANE.arn, ROOT.arn] } }, { boundary: [yes] }),
      'explicitDeny by resource',
    ],
  ];
  it.each(rows)('%s', (_what, question, expected) => expect(outcome(question)).toBe(expected));
});

describe('a decision', () => {
  it('names the statements that applied', () => {
    const identity = { ...policy(allow({ Action: 's3:*' }), allow({ Sid: 'Send', Action: 'sqs:*' })), id: 'mine' };
    const resource = resourcePolicy(allow({ Principal: '*' }));
    const { matched, verdicts } = ask({ policies: { identity: [identity], resource } });
    expect(matched).toEqual([
      { kind: 'identity', policy: identity, index: 1, sid: 'Send', effect: 'Allow' },
      { kind: 'resource', policy: resource, index: 0, sid: undefined, effect: 'Allow' },
    ]);
    expect(verdicts).toEqual({ identity: 'allowed', resource: 'allowed' });
  });

  it('names the condition keys that the context lacks', () => {
    const condition = {
      StringEquals: { 'aws:PrincipalTag/Team': '${aws:UserName}' },
      Bool: { 'aws:SecureTransport': true },
    };
    const { missingContextKeys } = ask({
      context: { 'aws:securetransport': 'true', 'aws:principaltag/team': 'x' },
      policies: {
        identity: [policy(allow({ Condition: condition }), allow({ Action: 's3:*', Resource: '${aws:x}' }))],
      },
    });
    expect(missingContextKeys).toEqual(['aws:UserName']);
  });

  it.each<[Question, string]>([
    [by({}), 'because no identity-based policy allows the sqs:SendMessage action'],
    [by({ identity: [no] }), 'with an explicit deny in an identity-based policy'],
    [by({ identity: [yes], boundary: [reads] }), 'because no permissions boundary allows the sqs:SendMessage action'],
    [by({ identity: [yes], boundary: [no] }), 'with an explicit deny in a permissions boundary'],
    [by({ identity: [yes], session: [reads] }), 'because no session policy allows the sqs:SendMessage action'],
    [by({ identity: [yes], session: [no] }), 'with an explicit deny in a session policy'],
    [by({}, { principal: ANONYMOUS }), 'because no resource-based policy allows the sqs:SendMessage action'],
    [by({ resource: resourcePolicy(deny({ Principal: '*' })) }), 'with an explicit deny in a resource-based policy'],
    [by({ serviceControl: [[]] }), 'because no service control policy allows the sqs:SendMessage action'],
    [by({ serviceControl: [[no]] }), 'with an explicit deny in a service control policy'],
    [by({ resourceControl: [[]] }), 'because no resource control policy allows the sqs:SendMessage action'],
    [by({ resourceControl: [[no]] }), 'with an explicit deny in a resource control policy'],
  ])("has AWS's message (%#)", (question, reason) => {
    const principal = question.principal ?? JANE;
    const resource = `arn:aws:sqs:us-east-1:${ACCOUNT}:orders`;
    expect(denialMessage({ principal, action: 'sqs:SendMessage', resource }, ask(question))).toBe(
      `User: ${principal.arn} is not authorized to perform: sqs:SendMessage on resource: ${resource} ${reason}`,
    );
  });
});
