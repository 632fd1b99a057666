import type { DeepReadonly } from '@emu/core/service';
import type { InputOf, OutputOf, ServerCertificateMetadata } from '@emu/service-types/iam';
import type { IamContext } from '../context.ts';
import { checkServerCertificate, expirationOf } from '../credentials/certificate.ts';
import { keyOf, nowOf } from '../entities/lookup.ts';
import { uniqueId } from '../entities/unique-ids.ts';
import { alreadyExists, noSuchEntity } from '../errors.ts';
import { NOTHING } from '../outputs.ts';
import { paging } from '../paging.ts';
import type { ServerCertificateRecord } from '../records.ts';
import { serverCertificateType } from '../resources.ts';
import { tagging, tagsMember } from '../tags.ts';

type Certificate = DeepReadonly<ServerCertificateRecord>;

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UploadServerCertificate.html */
export function UploadServerCertificate(
  input: InputOf<'UploadServerCertificate'>,
  ctx: IamContext,
): OutputOf<'UploadServerCertificate'> {
  const { ServerCertificateName: name, Path: path = '/', CertificateBody: body, PrivateKey: privateKey } = input;
  const { serverCertificates } = ctx.state;
  const chain = input.CertificateChain;
  const certificate = checkServerCertificate(body, privateKey, chain, ctx.clock.now());
  if (serverCertificates.has(keyOf(name))) throw exists(name);
  const record = serverCertificates.put(keyOf(name), {
    name,
    id: uniqueId('ASCA', ctx.ids),
    path,
    arn: serverCertificateType.arn({ path, name }, ctx),
    body: body.trim(),
    ...(chain !== undefined && { chain: chain.trim() }),
    privateKey,
    uploadedAt: nowOf(ctx),
    expiresAt: expirationOf(certificate),
    tags: tagging.merge(undefined, input.Tags),
  });
  return { ServerCertificateMetadata: describe(record), ...tagsMember(record.tags) };
}

/**
 * Returns a certificate without its private key.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetServerCertificate.html
 */
export function GetServerCertificate(
  input: InputOf<'GetServerCertificate'>,
  ctx: IamContext,
): OutputOf<'GetServerCertificate'> {
  const certificate = requireServerCertificate(ctx, input.ServerCertificateName);
  return {
    ServerCertificate: {
      ServerCertificateMetadata: describe(certificate),
      CertificateBody: certificate.body,
      ...(certificate.chain !== undefined && { CertificateChain: certificate.chain }),
      Tags: certificate.tags.map((tag) => ({ ...tag })),
    },
  };
}

/**
 * Lists certificates by path.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListServerCertificates.html
 */
export function ListServerCertificates(
  input: InputOf<'ListServerCertificates'>,
  ctx: IamContext,
): OutputOf<'ListServerCertificates'> {
  const { PathPrefix: prefix = '/' } = input;
  const certificates = [...ctx.state.serverCertificates.values()].filter(({ path }) => path.startsWith(prefix));
  return paging.page('ListServerCertificates', input, certificates, ({ name }) => keyOf(name)).list(describe);
}

/**
 * Renames or moves a certificate.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UpdateServerCertificate.html
 */
export function UpdateServerCertificate(
  input: InputOf<'UpdateServerCertificate'>,
  ctx: IamContext,
): OutputOf<'UpdateServerCertificate'> {
  const certificate = requireServerCertificate(ctx, input.ServerCertificateName);
  const { NewServerCertificateName: name = certificate.name, NewPath: path = certificate.path } = input;
  const { serverCertificates } = ctx.state;
  const [before, after] = [keyOf(certificate.name), keyOf(name)];
  if (after !== before && serverCertificates.has(after)) throw exists(name);
  const renamed = structuredClone(certificate) as ServerCertificateRecord;
  if (after !== before) serverCertificates.delete(before);
  serverCertificates.put(after, { ...renamed, name, path, arn: serverCertificateType.arn({ path, name }, ctx) });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteServerCertificate.html */
export function DeleteServerCertificate(
  input: InputOf<'DeleteServerCertificate'>,
  ctx: IamContext,
): OutputOf<'DeleteServerCertificate'> {
  ctx.state.serverCertificates.delete(keyOf(requireServerCertificate(ctx, input.ServerCertificateName).name));
  return NOTHING;
}

const exists = (name: string): Error => alreadyExists(`The Server Certificate with name ${name} already exists.`);

/** Returns a certificate by name. @throws AwsError `NoSuchEntity` */
export function requireServerCertificate(ctx: IamContext, name: string): Certificate {
  const certificate = ctx.state.serverCertificates.get(keyOf(name));
  if (certificate?.name !== name) throw noSuchEntity(`The Server Certificate with name ${name} cannot be found.`);
  return certificate;
}

const describe = ({ path, name, id, arn, uploadedAt, expiresAt }: Certificate): ServerCertificateMetadata => ({
  Path: path,
  ServerCertificateName: name,
  ServerCertificateId: id,
  Arn: arn,
  UploadDate: new Date(uploadedAt),
  Expiration: new Date(expiresAt),
});
