import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { SamlIdentityProvider } from '@emu/core/service';
import { readXml, type XmlElement, XmlError } from '@emu/wire';
import { invalidInput } from '../errors.ts';

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';

const unparsable = (): Error => invalidInput('Could not parse metadata');

const childrenOf = (element: XmlElement, name: string): XmlElement[] =>
  (element.children ?? []).filter((child) => child.name === name);

function descendantsOf(element: XmlElement, name: string): XmlElement[] {
  const found: XmlElement[] = [];
  const open = [element];
  for (let next = open.pop(); next; next = open.pop()) {
    for (const child of next.children ?? []) {
      if (child.name === name) found.push(child);
      open.push(child);
    }
  }
  return found;
}

function isMetadata({ name, attributes }: XmlElement): boolean {
  if (name !== 'EntityDescriptor' && name !== 'EntitiesDescriptor') return false;
  for (const [attribute, value] of attributes ?? [])
    if (/^xmlns(:|$)/.test(attribute) && value === METADATA) return true;
  return false;
}

/**
 * Validates the metadata of a SAML 2.0 identity provider: its id, sign-in location, and certificates for verifying
 * assertions.
 * @returns end of its validity in epoch milliseconds; undefined if missing
 * @throws AwsError `InvalidInput`
 * @see https://docs.oasis-open.org/security/saml/v2.0/saml-metadata-2.0-os.pdf
 */
export function checkSamlMetadata(document: string): number | undefined {
  const { root, entity, descriptor } = providerIn(document);
  if (!descriptor.attributes?.get('protocolSupportEnumeration')?.split(/\s+/).includes(PROTOCOL)) throw unparsable();
  if (!childrenOf(descriptor, 'SingleSignOnService').some(({ attributes }) => attributes?.get('Location')))
    throw unparsable();
  const certificates = descendantsOf(descriptor, 'X509Certificate');
  if (!certificates.length || !certificates.every(({ text }) => isCertificate(text))) throw unparsable();
  const validUntil = entity.attributes?.get('validUntil') ?? root.attributes?.get('validUntil');
  if (validUntil === undefined) return undefined;
  const time = Date.parse(validUntil);
  if (Number.isNaN(time)) throw unparsable();
  return time;
}

/**
 * Returns the identity provider in a document.
 * @throws AwsError `InvalidInput`
 */
function providerIn(document: string): { root: XmlElement; entity: XmlElement; descriptor: XmlElement } {
  let root: XmlElement;
  try {
    root = readXml(document);
  } catch (error) {
    if (error instanceof XmlError) throw unparsable();
    throw error;
  }
  if (!isMetadata(root)) throw unparsable();
  const entities = root.name === 'EntityDescriptor' ? [root] : childrenOf(root, 'EntityDescriptor');
  const entity = entities.find((one) => childrenOf(one, 'IDPSSODescriptor').length);
  const descriptor = entity && childrenOf(entity, 'IDPSSODescriptor')[0];
  if (!entity?.attributes?.get('entityID') || !descriptor) throw unparsable();
  return { root, entity, descriptor };
}

/**
 * Returns the issuer and the verification keys of a provider's assertions.
 * @param document validated metadata
 */
export function describeSamlMetadata(document: string): SamlIdentityProvider {
  const { entity, descriptor } = providerIn(document);
  const signing = childrenOf(descriptor, 'KeyDescriptor').filter(
    ({ attributes }) => attributes?.get('use') !== 'encryption',
  );
  const certificates = signing
    .flatMap((key) => descendantsOf(key, 'X509Certificate'))
    .map(({ text }) => new X509Certificate(Buffer.from(text, 'base64')).toString());
  return { entityId: entity.attributes!.get('entityID')!, certificates };
}

function isCertificate(base64: string): boolean {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64')).subject !== '';
  } catch {
    return false;
  }
}

/**
 * Validates a key for decrypting assertions: RSA, in PEM, without password.
 * @throws AwsError `InvalidInput`
 */
export function checkDecryptionKey(pem: string): void {
  let key: KeyObject | undefined;
  try {
    key = createPrivateKey(pem.trim());
  } catch {
    key = undefined;
  }
  if (key?.asymmetricKeyType !== 'rsa') throw invalidInput('The private key is invalid.');
}
