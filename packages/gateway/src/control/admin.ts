import type { AdminRecord } from '@emu/control-client';
import { ControlError, type Kernel, newAccessKeyId, newSecretAccessKey, type Principal, partitionOf } from '@emu/core';
import { AwsError } from '@emu/wire';
import { optional, pipe, regex, strictObject, string } from 'valibot';
import { type Route, route } from './route.ts';
import { validate } from './validate.ts';

const body = strictObject(
  {
    accountId: pipe(string('must be a string'), regex(/^\d{12}$/, 'must be 12 digits')),
    userName: pipe(
      string('must be a string'),
      regex(/^[\w+=,.@-]{1,64}$/, 'must be 1 to 64 letters, digits and characters of +=,.@-_'),
    ),
    organizationId: optional(string('must be a string')),
  },
  'The body must be an object with accountId, userName and, if wanted, organizationId.',
);

/** `POST /_emulator/iam/create-admin`: an access key of a user of any account, which verifies. */
export function adminRoutes(kernel: Kernel): Route[] {
  return [
    route('POST /_emulator/iam/create-admin', async (request) => {
      const { accountId, userName, organizationId } = validate(body, request.body);
      if (organizationId !== undefined) refuseOrganization(kernel, organizationId);
      return { json: await createAdmin(kernel, accountId, userName) };
    }),
  ];
}

/** Without the service there is no organization, so none has this id. */
function refuseOrganization(kernel: Kernel, organizationId: string): never {
  if (kernel.services.includes('organizations'))
    throw new ControlError(501, 'NotImplemented', 'emu does not implement the enrolment of accounts in organizations.');
  throw new ControlError(400, 'OrganizationNotFound', `There is no organization ${organizationId}.`);
}

type Owner = Pick<Principal, 'arn' | 'userId'>;

async function createAdmin(kernel: Kernel, accountId: string, userName: string): Promise<AdminRecord> {
  const { ids, credentials } = kernel;
  const { arn, userId } = (await iamUser(kernel, accountId, userName)) ?? keyOwner(kernel, accountId, userName);
  const credential = {
    accessKeyId: newAccessKeyId('AKIA', accountId, ids),
    secretAccessKey: newSecretAccessKey(ids),
    active: true,
    administrator: true,
    createdAt: Math.floor(kernel.clock.now() / 1000) * 1000,
    principal: { type: 'user', accountId, arn, userId } as const,
  };
  credentials.put(credential);
  const { accessKeyId, secretAccessKey } = credential;
  return { accountId, userName, arn, accessKeyId, secretAccessKey };
}

/** A user of whom nothing is known but its keys; a second key of the same user is another key, not another user. */
function keyOwner({ ids, credentials, settings }: Kernel, accountId: string, userName: string): Owner {
  const arn = `arn:${partitionOf(settings.region)}:iam::${accountId}:user/${userName}`;
  const known = [...credentials.list(accountId)].find(({ principal }) => principal.arn === arn);
  return { arn, userId: known?.principal.userId ?? `AIDA${ids.chars(17)}` };
}

/** The user in IAM, made where it is not there, with every permission; undefined where the emulator's IAM has no users. */
async function iamUser(kernel: Kernel, accountId: string, UserName: string): Promise<Owner | undefined> {
  const options = { accountId };
  try {
    const { User: user } = await kernel.call('iam', 'CreateUser', { UserName }, options).catch((error: unknown) => {
      if (error instanceof AwsError && error.code === 'EntityAlreadyExistsException')
        return kernel.call('iam', 'GetUser', { UserName }, options);
      throw error;
    });
    const partition = partitionOf(kernel.settings.region);
    const PolicyArn = `arn:${partition}:iam::aws:policy/AdministratorAccess`;
    await kernel.call('iam', 'AttachUserPolicy', { UserName, PolicyArn }, options);
    return { arn: user!.Arn, userId: user!.UserId };
  } catch (error) {
    if (error instanceof AwsError && error.code === 'NotImplemented') return undefined;
    throw error;
  }
}
