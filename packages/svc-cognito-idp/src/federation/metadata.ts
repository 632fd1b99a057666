import { invalidParameter } from '../errors.ts';
import type { XmlElement, XmlElements } from './saml-libraries.js';

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';
const BINDINGS = {
  redirect: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
  post: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
};
const MAX_CHARACTERS = 128 * 1024;

/** The parts of a SAML provider's metadata required for sign-ins. */
export interface SamlMetadata {
  entityId: string;
  certificates: string[];
  signOn: { redirect?: string; post?: string };
  signOut?: string;
}

/**
 * Parses a SAML provider's metadata.
 * @throws AwsError `InvalidParameterException` for invalid metadata
 * @see https://docs.oasis-open.org/security/saml/v2.0/saml-metadata-2.0-os.pdf
 */
export async function readMetadata(xml: string): Promise<SamlMetadata> {
  const refuse = (): Error => invalidParameter('The SAML metadata document is invalid.');
  // A document type could define recursive entities; metadata does not need one.
  if (xml.length > MAX_CHARACTERS || /<!DOCTYPE/i.test(xml)) throw refuse();
  const document = await parsed(xml);
  const provider = document?.getElementsByTagNameNS(METADATA, 'IDPSSODescriptor').item(0);
  const entityId = document?.getElementsByTagNameNS(METADATA, 'EntityDescriptor').item(0)?.getAttribute('entityID');
  if (!provider || !entityId) throw refuse();
  const located = (name: string, binding: string): string | undefined =>
    [...elements(provider.getElementsByTagNameNS(METADATA, name))]
      .find((element) => element.getAttribute('Binding') === binding)
      ?.getAttribute('Location') ?? undefined;
  const certificates = [...elements(provider.getElementsByTagNameNS(METADATA, 'KeyDescriptor'))]
    .filter((key) => key.getAttribute('use') !== 'encryption')
    .flatMap((key) => [...elements(key.getElementsByTagNameNS(SIGNATURE, 'X509Certificate'))])
    .map((element) => (element.textContent ?? '').replace(/\s/g, ''));
  const redirect = located('SingleSignOnService', BINDINGS.redirect);
  const post = located('SingleSignOnService', BINDINGS.post);
  if (certificates.length === 0 || (redirect === undefined && post === undefined)) throw refuse();
  const signOut = located('SingleLogoutService', BINDINGS.redirect);
  return {
    entityId,
    certificates,
    signOn: { ...(redirect !== undefined && { redirect }), ...(post !== undefined && { post }) },
    ...(signOut !== undefined && { signOut }),
  };
}

async function parsed(xml: string): Promise<XmlElement | undefined> {
  const { DOMParser } = await import('./saml-libraries.js');
  let isBroken = false;
  const broken = (): void => {
    isBroken = true;
  };
  const errorHandler = { warning: () => undefined, error: broken, fatalError: broken };
  const document = new DOMParser({ errorHandler }).parseFromString(xml, 'text/xml');
  return isBroken ? undefined : document;
}

function* elements(list: XmlElements): Generator<XmlElement> {
  for (let index = 0; index < list.length; index++) yield list.item(index)!;
}
