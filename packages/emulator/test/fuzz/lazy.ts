import type { ServiceManifest } from '@emu/core/service';
import { type RawRequest, sendRaw } from '@emu/gateway/testing';
import type { EmbeddedEmulator } from '../../src/embed.ts';

const headers = (service: string, contentType: string, more: Record<string, string> = {}): Record<string, string> => ({
  authorization: `AWS4-HMAC-SHA256 Credential=test/20240101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=0`,
  'content-type': contentType,
  ...more,
});

const query = (service: string, version: string, body: string): RawRequest => ({
  method: 'POST',
  target: '/',
  headers: headers(service, 'application/x-www-form-urlencoded'),
  chunks: [`Version=${version}&${body}`],
});

const ADDRESS = 'someone%40example.com';
const MESSAGE = Buffer.from('From: someone@example.com\nTo: someone@example.com\nSubject: a\n\nb').toString('base64');
const ses = (body: string): RawRequest => query('ses', '2010-12-01', body);
const iam = (body: string): RawRequest => query('iam', '2010-05-08', body);

/** Requests that load all lazily loaded data, especially AWS's managed policies. */
const REQUESTS: readonly RawRequest[] = [
  iam('Action=ListPolicies'),
  iam('Action=CreateVirtualMFADevice&VirtualMFADeviceName=a'),
  ses(`Action=VerifyEmailIdentity&EmailAddress=${ADDRESS}`),
  ses(
    `Action=SendEmail&Source=${ADDRESS}&Destination.ToAddresses.member.1=${ADDRESS}&Message.Subject.Data=a&Message.Body.Text.Data=b`,
  ),
  ses(`Action=SendRawEmail&RawMessage.Data=${encodeURIComponent(MESSAGE)}`),
  {
    method: 'POST',
    target: '/clientcertificates',
    headers: headers('apigateway', 'application/json'),
    chunks: ['{}'],
  },
  {
    method: 'POST',
    target: '/',
    headers: headers('kms', 'application/x-amz-json-1.1', { 'x-amz-target': 'TrentService.CreateKey' }),
    chunks: ['{"KeySpec":"ML_DSA_44","KeyUsage":"SIGN_VERIFY"}'],
  },
];

/**
 * Loads the lazily loaded data of services, so that it does not count as memory leaked by requests. Whether random
 * requests load it, and in which round, depends on their seed.
 * @throws Error if a request fails, because its modules may then not be loaded
 */
export async function loadLazily(emu: EmbeddedEmulator, manifests: Iterable<ServiceManifest>): Promise<void> {
  for (const { cloudFormation, quotas } of manifests) {
    await cloudFormation?.load();
    await quotas?.();
  }
  for (const request of REQUESTS) {
    const { status, text } = await sendRaw(emu, request);
    if (status >= 300) throw new Error(`${request.target} answered ${status}: ${text}`);
  }
  await emu.reset();
}
