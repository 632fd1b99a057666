import type { DeepReadonly } from '@emu/core/service';
import type { InputOf, OutputOf, SigningCertificate } from '@emu/service-types/iam';
import type { IamContext } from '../context.ts';
import { expirationOf, readCertificate } from '../credentials/certificate.ts';
import type { SigningCertificateRecord } from '../credentials/records.ts';
import { type Registrant, recordsOf, registrantOf } from '../credentials/registrants.ts';
import { isActive, statusOf } from '../credentials/status.ts';
import { nowOf } from '../entities/lookup.ts';
import { iamError, noSuchEntity, quotaExceeded } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { NOTHING } from '../outputs.ts';
import { paging } from '../paging.ts';

type Certificate = DeepReadonly<SigningCertificateRecord>;

/** Length of a certificate's id. */
const ID_LENGTH = 32;

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UploadSigningCertificate.html */
export function UploadSigningCertificate(
  input: InputOf<'UploadSigningCertificate'>,
  ctx: IamContext,
): OutputOf<'UploadSigningCertificate'> {
  const registrant = registrantOf(ctx, input.UserName);
  const { CertificateBody: body } = input;
  const certificate = readCertificate(body);
  if (!certificate) throw iamError('MalformedCertificateException', `Certificate ${body} is malformed.`);
  if (expirationOf(certificate) < ctx.clock.now())
    throw iamError('InvalidCertificateException', 'The certificate has expired.');
  const { fingerprint256: fingerprint } = certificate;
  for (const one of ctx.state.signingCertificates.values())
    if (one.fingerprint === fingerprint)
      throw iamError(
        'DuplicateCertificateException',
        'The same certificate is associated with an IAM user in the account.',
      );
  const certificates = recordsOf(ctx.state.signingCertificates.values(), registrant);
  if (certificates.length >= LIMITS.signingCertificatesPerUser)
    throw quotaExceeded('CertificatesPerUser', LIMITS.signingCertificatesPerUser);
  const id = ctx.ids.chars(ID_LENGTH);
  const record = ctx.state.signingCertificates.put(id, {
    id,
    userId: registrant.userId,
    body,
    fingerprint,
    active: true,
    uploadedAt: nowOf(ctx),
  });
  return { Certificate: describe(record, registrant) };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListSigningCertificates.html */
export function ListSigningCertificates(
  input: InputOf<'ListSigningCertificates'>,
  ctx: IamContext,
): OutputOf<'ListSigningCertificates'> {
  const registrant = registrantOf(ctx, input.UserName);
  const certificates = recordsOf(ctx.state.signingCertificates.values(), registrant);
  return paging
    .page('ListSigningCertificates', input, certificates, ({ id }) => id)
    .list((certificate) => describe(certificate, registrant));
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UpdateSigningCertificate.html */
export function UpdateSigningCertificate(
  input: InputOf<'UpdateSigningCertificate'>,
  ctx: IamContext,
): OutputOf<'UpdateSigningCertificate'> {
  const { id } = requireCertificate(ctx, input.UserName, input.CertificateId);
  const active = isActive(input.Status);
  ctx.state.signingCertificates.update(id, (draft) => {
    draft.active = active;
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteSigningCertificate.html */
export function DeleteSigningCertificate(
  input: InputOf<'DeleteSigningCertificate'>,
  ctx: IamContext,
): OutputOf<'DeleteSigningCertificate'> {
  ctx.state.signingCertificates.delete(requireCertificate(ctx, input.UserName, input.CertificateId).id);
  return NOTHING;
}

function requireCertificate(ctx: IamContext, userName: string | undefined, id: string): Certificate {
  const { userId } = registrantOf(ctx, userName);
  const certificate = ctx.state.signingCertificates.get(id);
  if (certificate?.userId !== userId) throw noSuchEntity(`The Certificate with id ${id} cannot be found.`);
  return certificate;
}

const describe = ({ id, body, active, uploadedAt }: Certificate, { userName }: Registrant): SigningCertificate => ({
  UserName: userName,
  CertificateId: id,
  CertificateBody: body,
  Status: statusOf(active),
  UploadDate: new Date(uploadedAt),
});
