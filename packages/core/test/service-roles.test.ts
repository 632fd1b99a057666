import { awsError } from '@emu/wire';
import { beforeEach, describe, expect, test } from 'vitest';
import { passedRoles } from '../src/invocation/passed-roles.ts';
import {
  asService,
  type CallOptions,
  type Identity,
  identityDirectory,
  notImplemented,
  type OperationContext,
  passRole,
  ServiceRole,
  servicePrincipal,
  servicePrincipalName,
} from '../src/service.ts';

const ACCOUNT = '123456789012';
const ROLE = `arn:aws:iam::${ACCOUNT}:role/app`;
const NOTE = 'arn:aws:notes:eu-west-1:123456789012:note/1';
const NOTES = { type: 'service', accountId: ACCOUNT, arn: 'notes.amazonaws.com', userId: 'notes.amazonaws.com' };

let calls: { service: string; operation: string; input: unknown; options: CallOptions | undefined }[] = [];
/** Thrown instead of a response. */
let failure: Error | undefined;
const session = { AssumedRoleUser: { Arn: 'session', AssumedRoleId: 'AROA:session' } };

const caller = {
  accountId: ACCOUNT,
  async call(service: string, operation: string, input: unknown, options?: CallOptions) {
    calls.push({ service, operation, input, options });
    if (failure) throw failure;
    return session;
  },
} as unknown as OperationContext;

const role = new ServiceRole({
  service: 'notes',
  session: 'notes',
  refuse: (arn, { code, message }) => (code === 'AccessDenied' ? awsError('BadRole', `${arn}: ${message}`) : undefined),
});

beforeEach(() => {
  calls = [];
  failure = undefined;
});

test('a principal of a service has its name and an account', () => {
  expect(servicePrincipalName('states')).toBe('states.amazonaws.com');
  expect(servicePrincipal('notes', ACCOUNT)).toEqual(NOTES);
  expect(asService('notes', ACCOUNT, NOTE)).toEqual({
    principal: NOTES,
    authorize: { sourceArn: NOTE, sourceAccount: ACCOUNT },
  });
});

describe('a role of a service', () => {
  test('is checked by a dry run as the service, for a resource', async () => {
    await role.check(ROLE, caller, { sourceArn: NOTE, ExternalId: 'x' });
    expect(calls).toEqual([
      {
        service: 'sts',
        operation: 'AssumeRole',
        input: { RoleArn: ROLE, RoleSessionName: 'notes', ExternalId: 'x' },
        options: {
          accountId: ACCOUNT,
          principal: NOTES,
          authorize: { sourceAccount: ACCOUNT, sourceArn: NOTE, dryRun: true },
        },
      },
    ]);
  });

  test('is not checked if policies are not enforced, or without STS', async () => {
    await role.check(ROLE, { ...caller, enforced: false });
    expect(calls).toEqual([]);
    failure = notImplemented('sts');
    await role.check(ROLE, caller);
    expect(calls).toHaveLength(1);
  });

  test("that cannot be assumed is rejected with the service's error", async () => {
    failure = awsError('AccessDenied', 'no');
    const refused = { code: 'BadRole', message: `${ROLE}: no` };
    await expect(role.check(ROLE, caller)).rejects.toMatchObject(refused);
    await expect(role.assume(ROLE, caller)).rejects.toMatchObject(refused);
    failure = awsError('PackedPolicyTooLarge', 'too large');
    await expect(role.assume(ROLE, caller)).rejects.toBe(failure);
    failure = new TypeError('defect');
    await expect(role.check(ROLE, caller)).rejects.toBe(failure);
  });

  test('is assumed by the service, or by another principal', async () => {
    const principal = { ...servicePrincipal('other', '210987654321') };
    const use = { RoleSessionName: 'one', DurationSeconds: 900, Policy: '{}', principal, cause: 'r-1' };
    expect(await role.assume(ROLE, caller, use)).toBe(session);
    expect(calls).toEqual([
      {
        service: 'sts',
        operation: 'AssumeRole',
        input: { RoleArn: ROLE, RoleSessionName: 'one', DurationSeconds: 900, Policy: '{}' },
        options: {
          accountId: '210987654321',
          principal,
          authorize: { sourceAccount: '210987654321' },
          cause: 'r-1',
        },
      },
    ]);
  });

  const trusting = (Statement: unknown): Identity => ({
    arn: ROLE,
    uniqueId: 'AROA',
    policies: [],
    tags: {},
    trustPolicy: JSON.stringify({ Statement }),
  });
  const allowed = { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'notes.amazonaws.com' } };
  test.each([
    ['no role', undefined, false],
    ['a statement for the service', trusting(allowed), true],
    ['one of several', trusting([{ ...allowed, Effect: 'Deny' }, allowed]), true],
    ['a list of services', trusting({ ...allowed, Principal: { Service: ['x', 'notes.amazonaws.com'] } }), true],
    ['everybody', trusting({ ...allowed, Principal: '*', Action: ['sts:*'] }), true],
    ['another service', trusting({ ...allowed, Principal: { Service: 'x.amazonaws.com' } }), false],
    ['another action', trusting({ ...allowed, Action: 'sts:TagSession' }), false],
    ['a denial', trusting({ ...allowed, Effect: 'Deny' }), false],
  ])('trusts the service by its policy: %s', async (_case, identity, expected) => {
    const capability = (asked: unknown) => (asked === identityDirectory ? { identity: () => identity } : undefined);
    const ctx = { capability } as unknown as OperationContext;
    expect(await role.isTrusting(ROLE, ctx)).toBe(expected);
  });

  test('counts as trusting if the emulator has no IAM', async () => {
    expect(await role.isTrusting(ROLE, { capability: () => undefined })).toBe(true);
  });
});

describe('roles passed by an input', () => {
  const ctx = { accountId: ACCOUNT } as OperationContext;
  const passed = (members: Parameters<typeof passedRoles>[0], input: unknown) =>
    passedRoles(members, input, ctx).map(({ action, resource, condition }) => [
      action,
      resource,
      condition!('iam:passedtoservice'),
    ]);

  test('are found by the paths of members, without duplicates', () => {
    const input = { Target: { RoleArn: 'a' }, Targets: [{ RoleArn: 'b' }, {}, { RoleArn: 'b' }], Roles: { x: 'c' } };
    expect(passed({ 'Target.RoleArn': 'notes', 'Targets.RoleArn': 'notes', 'Roles.*': 'other' }, input)).toEqual([
      ['iam:PassRole', 'a', 'notes.amazonaws.com'],
      ['iam:PassRole', 'b', 'notes.amazonaws.com'],
      ['iam:PassRole', 'c', 'other.amazonaws.com'],
    ]);
    expect(passed({ Target: 'notes', 'Target.RoleArn.X': 'notes', Other: 'notes' }, input)).toEqual([]);
  });

  test('are found at any depth', () => {
    const input = { RoleARN: 'a', S3: { RoleARN: 'b', Backup: [{ RoleARN: 'c' }], Data: Buffer.from('x') } };
    expect(passed({ '**.RoleARN': 'notes' }, input).map(([, resource]) => resource)).toEqual(['a', 'b', 'c']);
  });

  test('may be named by something other than an ARN, or be missing', () => {
    const members = {
      Role: {
        service: 'notes',
        role: (name: string, { accountId }: OperationContext, input: unknown) =>
          (input as { Passes: boolean }).Passes ? `${accountId}/${name}` : undefined,
      },
    };
    expect(passed(members, { Role: 'app', Passes: true })).toEqual([
      ['iam:PassRole', `${ACCOUNT}/app`, 'notes.amazonaws.com'],
    ]);
    expect(passed(members, { Role: 'app', Passes: false })).toEqual([]);
    expect(passed({ Role: 'notes' }, { Role: '' })).toEqual([]);
  });

  test('may be in a document, with a service that depends on the input', () => {
    const members = {
      Body: {
        service: (input: unknown) => (input as { Kind: string }).Kind,
        role: (text: string) => text.split(' '),
      },
    };
    expect(passed(members, { Kind: 'notes', Body: Buffer.from('a b a') })).toEqual([
      ['iam:PassRole', 'a', 'notes.amazonaws.com'],
      ['iam:PassRole', 'b', 'notes.amazonaws.com'],
    ]);
  });

  test('require the permission to pass them to the service', () => {
    const { action, resource, condition } = passRole(ROLE, 'notes');
    expect([action, resource]).toEqual(['iam:PassRole', ROLE]);
    expect(condition!('iam:passedtoservice')).toBe('notes.amazonaws.com');
    expect(condition!('aws:sourceip')).toBeUndefined();
  });
});
