import { selfSigned } from '@emu/core/certificates';
import type { DeepReadonly } from '@emu/core/service';
import type { ClientCertificate, InputOf, OutputOf } from '@emu/service-types/apigateway';
import type { ApigatewayContext } from '../context.ts';
import { badRequest, notFound } from '../errors.ts';
import { paging } from '../paging.ts';
import { applyPatch, type PatchTable, refuseListing, text } from '../patch/patch.ts';
import type { ClientCertificateRecord } from '../records.ts';
import { tagging } from '../tags.ts';

type View = DeepReadonly<ClientCertificateRecord>;
const YEAR = 365 * 86_400_000;

const describe = ({ id, description, certificate, createdAt, expiresAt, tags }: View): ClientCertificate => ({
  clientCertificateId: id,
  ...(description !== undefined && { description }),
  pemEncodedCertificate: certificate,
  createdDate: new Date(createdAt),
  expirationDate: new Date(expiresAt),
  ...(tags && { tags: { ...tags } }),
});

function certificateOf(id: string, { state }: ApigatewayContext): View {
  const certificate = state.certificates.get(id);
  if (!certificate) throw notFound('Invalid Client Certificate identifier specified');
  return certificate;
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GenerateClientCertificate.html */
export async function GenerateClientCertificate(
  { description, tags }: InputOf<'GenerateClientCertificate'>,
  { state, clock }: ApigatewayContext,
): Promise<OutputOf<'GenerateClientCertificate'>> {
  const merged = tags && tagging.merge(undefined, tags);
  const createdAt = clock.now();
  const expiresAt = createdAt + YEAR;
  const { cert, key } = await selfSigned({
    subject: { commonName: 'ApiGateway', organizationName: 'Amazon.com', countryName: 'US' },
    notBefore: createdAt,
    notAfter: expiresAt,
  });
  const id = state.newId(6);
  const record: ClientCertificateRecord = {
    id,
    ...(description !== undefined && { description }),
    certificate: cert,
    key,
    createdAt,
    expiresAt,
    ...(merged && { tags: merged }),
  };
  return describe(state.certificates.put(id, record));
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetClientCertificate.html */
export function GetClientCertificate(
  input: InputOf<'GetClientCertificate'>,
  ctx: ApigatewayContext,
): OutputOf<'GetClientCertificate'> {
  return describe(certificateOf(input.clientCertificateId, ctx));
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetClientCertificates.html */
export function GetClientCertificates(
  input: InputOf<'GetClientCertificates'>,
  { state }: ApigatewayContext,
): OutputOf<'GetClientCertificates'> {
  return paging.page('GetClientCertificates', input, state.certificates.values(), ({ id }) => id).list(describe);
}

const TABLE: PatchTable<ClientCertificateRecord> = {
  rules: [text('/description', 'description')],
  refuse: refuseListing,
};

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_UpdateClientCertificate.html */
export function UpdateClientCertificate(
  input: InputOf<'UpdateClientCertificate'>,
  ctx: ApigatewayContext,
): OutputOf<'UpdateClientCertificate'> {
  certificateOf(input.clientCertificateId, ctx);
  return describe(
    ctx.state.certificates.update(input.clientCertificateId, (draft) =>
      applyPatch(TABLE, draft, input.patchOperations),
    ),
  );
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_DeleteClientCertificate.html */
export function DeleteClientCertificate(
  { clientCertificateId: id }: InputOf<'DeleteClientCertificate'>,
  ctx: ApigatewayContext,
): OutputOf<'DeleteClientCertificate'> {
  certificateOf(id, ctx);
  for (const api of ctx.state.apis.keys())
    for (const stage of ctx.state.stages.list(api))
      if (stage.clientCertificateId === id)
        throw badRequest(`Client Certificate ${id} is used by the stage ${stage.stageName} of the API ${api}`);
  ctx.state.certificates.delete(id);
  return {};
}
