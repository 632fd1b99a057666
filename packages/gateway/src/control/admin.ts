import type { AdminRecord } from '@emu/control-client';
import type { Kernel } from '@emu/core';
import type { IdentityOwner } from '@emu/core/service';
import {
  ControlError,
  controlPolicies,
  identityDirectory,
  newAccessKeyId,
  newSecretAccessKey,
  partitionOf,
} from '@emu/core/service';
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

/** `POST /_emulator/iam/create-admin`: creates a registered access key of a user in any account. */
export function adminRoutes(kernel: Kernel): Route[] {
  return [
    route('POST /_emulator/iam/create-admin', async (request) => {
      const { accountId, userName, organizationId } = validate(body, request.body);
      if (organizationId !== undefined) await refuseOrganization(kernel, organizationId);
      return { json: await createAdmin(kernel, accountId, userName) };
    }),
  ];
}

/** Refuses to enrol the account. Without a service of organizations, the organization does not exist. */
async function refuseOrganization(kernel: Kernel, organizationId: string): Promise<never> {
  if (await kernel.capability(controlPolicies))
    throw new ControlError(501, 'NotImplemented', 'emu does not implement the enrolment of accounts in organizations.');
  throw new ControlError(400, 'OrganizationNotFound', `There is no organization ${organizationId}.`);
}

async function createAdmin(kernel: Kernel, accountId: string, userName: string): Promise<AdminRecord> {
  const { ids, credentials } = kernel;
  const directory = await kernel.capability(identityDirectory);
  const user = await directory?.administrator?.(accountId, userName);
  const { arn, userId } = user ?? keyOwner(kernel, accountId, userName);
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

/** Returns the owner of the keys of a user name, if no service has users: the same for all keys of the name. */
function keyOwner({ ids, credentials, settings }: Kernel, accountId: string, userName: string): IdentityOwner {
  const arn = `arn:${partitionOf(settings.region)}:iam::${accountId}:user/${userName}`;
  const known = [...credentials.list(accountId)].find(({ principal }) => principal.arn === arn);
  return { arn, userId: known?.principal.userId ?? `AIDA${ids.chars(17)}` };
}
