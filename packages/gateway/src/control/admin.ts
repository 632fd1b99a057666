import type { AdminRecord } from '@emu/control-client';
import { ControlError, type Kernel, newAccessKeyId, newSecretAccessKey, partitionOf } from '@emu/core';
import { optional, pipe, regex, strictObject, string } from 'valibot';
import { type Route, route } from './router.ts';
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
    route('POST /_emulator/iam/create-admin', (request) => {
      const { accountId, userName, organizationId } = validate(body, request.body);
      if (organizationId !== undefined) refuseOrganization(kernel, organizationId);
      return { json: createAdmin(kernel, accountId, userName) };
    }),
  ];
}

/** Without the service there is no organization, so none has this id. */
function refuseOrganization(kernel: Kernel, organizationId: string): never {
  if (kernel.services.includes('organizations'))
    throw new ControlError(501, 'NotImplemented', 'emu does not implement the enrolment of accounts in organizations.');
  throw new ControlError(400, 'OrganizationNotFound', `There is no organization ${organizationId}.`);
}

function createAdmin(kernel: Kernel, accountId: string, userName: string): AdminRecord {
  const { ids, credentials, settings } = kernel;
  const arn = `arn:${partitionOf(settings.region)}:iam::${accountId}:user/${userName}`;
  // A second key of the same user is another key, not another user.
  const known = [...credentials.list(accountId)].find(({ principal }) => principal.arn === arn);
  const credential = {
    accessKeyId: newAccessKeyId('AKIA', accountId, ids),
    secretAccessKey: newSecretAccessKey(ids),
    active: true,
    administrator: true,
    principal: { type: 'user', accountId, arn, userId: known?.principal.userId ?? `AIDA${ids.chars(17)}` } as const,
  };
  credentials.put(credential);
  const { accessKeyId, secretAccessKey } = credential;
  return { accountId, userName, arn, accessKeyId, secretAccessKey };
}
